/** A command as a person types it, from the directory of the installation. */
export function formatCommand(words: string): string {
  return `  npm run --silent handover -- ${words}`;
}

/** One argument, in the quotation marks of a shell where it needs them. */
export function quoteArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** "1 order", "2 orders". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
