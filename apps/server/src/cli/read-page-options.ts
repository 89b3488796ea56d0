import type { Command } from 'commander';
import { formatCommand, formatOption } from './command-text.ts';
import { CommandError } from './run-command.ts';

export interface PageOptions {
  readonly limit: string;
  readonly after?: string;
}

/** `--limit` and `--after`, for commands that list. */
export function addPageOptions(command: Command, after = 'continue after the entry with this id'): Command {
  return command
    .option('--limit <number>', 'how many at most, up to 1000', '100')
    .option('--after <id>', after);
}

export function readLimit({ limit: text }: PageOptions): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= 1000) return limit;
  throw new CommandError('--limit must be a whole number from 1 to 1000.');
}

/** How to see what `next` continues, which the list's command continues with --after; nothing at the end of the list. */
export function describeNextPage(command: string, limit: number, next: string | null): readonly string[] {
  if (next === null) return [];
  return ['There are more:', formatCommand(`${command} --limit ${limit} ${formatOption('after', next)}`)];
}

/** For a list read with `limit` plus one: the rows to print, and the id after which the next page begins. */
export function cutPage<Row>(found: readonly Row[], limit: number, idOf: (row: Row) => string) {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { shown, next: found.length > limit && last !== undefined ? idOf(last) : null };
}
