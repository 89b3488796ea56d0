import { VERSION } from '../version.ts';

/** How commands begin, and how people start the server: of a release, of an installed package, in a clone. */
export function chooseCommands(
  isRelease: boolean,
  moduleUrl: string,
): Readonly<Record<'handover' | 'start', string>> {
  if (isRelease) return { handover: 'handover', start: 'handover serve' };
  if (moduleUrl.includes('/node_modules/')) return { handover: 'npx handover', start: 'npx handover serve' };
  return { handover: 'npm run --silent handover --', start: 'npm start' };
}

export const { handover: HANDOVER, start: START_COMMAND } = chooseCommands(
  VERSION.commit !== null,
  import.meta.url,
);

/** A command as it is typed. */
export function formatCommand(words: string): string {
  return `  ${HANDOVER} ${words}`;
}

/** One argument, quoted for a shell if necessary. */
export function quoteArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** An option and its value, such as `--name main`. A value that begins with a dash would be read as an option of its own. */
export function formatOption(name: string, value: string): string {
  return `--${name}${value.startsWith('-') ? '=' : ' '}${quoteArgument(value)}`;
}

/** "1 order", "2 orders". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
