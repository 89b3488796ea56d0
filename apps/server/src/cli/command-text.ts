/** A command as it is typed in the directory of the installation. */
export function formatCommand(words: string): string {
  return `  npm run --silent handover -- ${words}`;
}

/** One argument, quoted for a shell if necessary. */
export function quoteArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** "1 order", "2 orders". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
