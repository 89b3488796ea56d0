import { VERSION } from '../version.ts';

const isRelease = VERSION.commit !== null;

/** How people start the server. */
export const START_COMMAND = isRelease ? 'handover serve' : 'npm start';

/** How commands begin: with a release installed, or in the directory of a clone. */
export const HANDOVER = isRelease ? 'handover' : 'npm run --silent handover --';

/** A command as it is typed. */
export function formatCommand(words: string): string {
  return `  ${HANDOVER} ${words}`;
}

/** One argument, quoted for a shell if necessary. */
export function quoteArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** "1 order", "2 orders". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
