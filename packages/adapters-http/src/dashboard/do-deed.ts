import type { ActivityEntry } from '@handover/domain';
import type { HttpPorts } from '../http-ports.ts';
import type { Visit } from './dashboard-route.ts';

/** What the activity log says of a deed. `summary` is one sentence for people, and never holds a secret. */
export type Deed = Pick<ActivityEntry, 'kind' | 'subjectId' | 'summary'>;

/**
 * Does what a visitor asked for and writes it into the activity log under the visitor's address, as one: after a crash
 * there are both or neither. `work` asks only the ports that it is given. `describe` names the deed, or answers null
 * when nothing was changed.
 */
export function doDeed<Result>(
  ports: HttpPorts,
  { orgId, user }: Pick<Visit, 'orgId' | 'user'>,
  work: (ports: HttpPorts) => Promise<Result>,
  describe: (result: Result) => Deed | null,
): Promise<Result> {
  return ports.asOne(async (stores) => {
    const result = await work({ ...ports, ...stores });
    const deed = describe(result);
    const { clock, ids } = ports;
    if (deed)
      await stores.activity.add(orgId, { id: ids.next(), at: clock.now(), actor: user.email, ...deed });
    return result;
  });
}
