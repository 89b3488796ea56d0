import { type AuditedAction, COMMAND_LINE, logAction } from '@handover/domain';
import type { CommandPorts, OpenedCommand } from './run-command.ts';

/** The text of an entry, and the organisation of its log; without an organisation, there is no log for it. */
export type CommandAction = AuditedAction & { readonly orgId: string | null };

/**
 * Makes a change and writes its activity entry, with the command line as origin, in one transaction. The organisation
 * of the log may only be known from the result of the work. Null: nothing was changed.
 */
export function runCommandAction<Result>(
  { ports: { inTransaction, clock, ids } }: OpenedCommand,
  work: (within: CommandPorts) => Promise<Result>,
  describe: (result: Result) => CommandAction | null,
): Promise<Result> {
  return inTransaction(async (stores) => {
    const within = { ...stores, clock, ids };
    const result = await work(within);
    const described = describe(result);
    if (described) {
      const { orgId, ...action } = described;
      await logAction(within, { orgId, by: COMMAND_LINE }, action);
    }
    return result;
  });
}
