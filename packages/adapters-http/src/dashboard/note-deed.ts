import type { ActivityEntry } from '@handover/domain';
import type { HttpPorts } from '../http-ports.ts';
import type { Visit } from './dashboard-route.ts';

/** Writes what a visitor did into the activity log, under the visitor's address. `summary` is one sentence for people. */
export async function noteDeed(
  { activity, clock, ids }: Pick<HttpPorts, 'activity' | 'clock' | 'ids'>,
  { orgId, user }: Pick<Visit, 'orgId' | 'user'>,
  deed: Pick<ActivityEntry, 'kind' | 'subjectId' | 'summary'>,
): Promise<void> {
  await activity.add(orgId, { id: ids.next(), at: clock.now(), actor: user.email, ...deed });
}
