import {
  type AuditedAction,
  type Clock,
  COMMAND_LINE,
  type Ids,
  logAction,
  type Stores,
} from '@handover/domain';
import { ids } from '../composition/composition.ts';
import type { OpenedCommand } from './run-command.ts';

export type CommandPorts = Stores & { readonly clock: Clock; readonly ids: Ids };

/** The text of an entry, and the organisation of its log; without an organisation, there is no log for it. */
export type CommandAction = AuditedAction & { readonly orgId: string | null };

/**
 * Makes a change and writes its activity entry, with the command line as origin, in one transaction. The organisation
 * of the log may only be known from the result of the work. Null: nothing was changed.
 */
export function runCommandAction<Result>(
  { composition }: OpenedCommand,
  work: (within: CommandPorts) => Promise<Result>,
  describe: (result: Result) => CommandAction | null,
): Promise<Result> {
  const clock = composition.resolve('clock');
  return composition.resolve('stores').inTransaction(async (stores) => {
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
