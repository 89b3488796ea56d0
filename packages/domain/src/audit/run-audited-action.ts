import type { ActivityEntry, ActivityOrigin } from '../model/activity.ts';
import type { ActivityLog } from '../ports/access.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Stores } from '../ports/stores.ts';

/** What the activity log says about an action. `summary` is one sentence for people, and never contains a secret. */
export type AuditedAction = Pick<ActivityEntry, 'kind' | 'subjectId' | 'summary'>;

/** The organisation whose log gets the entry, and who acts. Without an organisation, no entry is written. */
export interface AuditScope {
  readonly orgId: string | null;
  readonly by: ActivityOrigin;
}

/**
 * Makes a change and writes its entry of the activity log in one transaction. `work` must use only the ports that it is given.
 * `describe` returns null if nothing was changed.
 */
export function runAuditedAction<
  Ports extends { readonly clock: Clock; readonly ids: Ids; readonly inTransaction: Stores['inTransaction'] },
  Result,
>(
  ports: Ports,
  scope: AuditScope,
  work: (within: Ports & Stores) => Promise<Result>,
  describe: (result: Result) => AuditedAction | null,
): Promise<Result> {
  return ports.inTransaction(async (stores) => {
    const within = { ...ports, ...stores };
    const result = await work(within);
    const action = describe(result);
    if (action) await logAction(within, scope, action);
    return result;
  });
}

/** Writes the entry of an action, whose change the caller makes in the same transaction. */
export async function logAction(
  {
    clock,
    ids,
    activity,
  }: { readonly clock: Clock; readonly ids: Ids; readonly activity: Pick<ActivityLog, 'add'> },
  { orgId, by }: AuditScope,
  action: AuditedAction,
): Promise<void> {
  if (orgId !== null) await activity.add(orgId, { id: ids.next(), at: clock.now(), ...action, ...by });
}
