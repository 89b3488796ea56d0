/**
 * Rows as columns for `unnest`: an order of many thousand lines would have more parameters than a statement
 * may.
 */
export function columnsOf<Row>(rows: readonly Row[]): <Key extends keyof Row>(key: Key) => Row[Key][] {
  return (key) => rows.map((row) => row[key]);
}
