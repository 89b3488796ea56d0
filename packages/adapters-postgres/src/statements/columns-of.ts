/**
 * Turns rows into columns for `unnest`: an order of many thousand lines would exceed the number of parameters that a
 * statement may have.
 */
export function columnsOf<Row>(rows: readonly Row[]): <Key extends keyof Row>(key: Key) => Row[Key][] {
  return (key) => rows.map((row) => row[key]);
}
