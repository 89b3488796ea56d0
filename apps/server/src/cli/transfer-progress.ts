import type { ManifestTable } from '../transfer/manifest.ts';
import { counted } from './command-text.ts';
import type { CommandContext } from './run-command.ts';
import { showProgress } from './show-progress.ts';

/** Prints each table when it is done, and how far the files are. With --json, nothing. */
export function showTransfer({ wantsJson, output }: CommandContext) {
  if (wantsJson()) return { onTable: () => undefined, onBytes: () => undefined };
  const files = showProgress('files', { write: (text) => output.err(text.replace(/\n$/, '')) });
  return {
    onTable: ({ name, rows }: ManifestTable) => {
      if (rows > 0) output.err(`${name}: ${counted(rows, 'row')}`);
    },
    onBytes: files.show,
  };
}

/** The rows of an export, and its files. */
export function countAll({
  tables,
  files,
}: {
  readonly tables: readonly ManifestTable[];
  readonly files: ManifestTable;
}) {
  return { rows: tables.reduce((sum, { rows }) => sum + rows, 0), files: files.rows };
}
