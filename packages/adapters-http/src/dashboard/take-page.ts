/** The rows of a list on one page, and whether there are older ones. */
export interface ListPage<Row> {
  readonly found: readonly Row[];
  readonly isMore: boolean;
}

/** Asks for one row more than a page shows: it tells whether there are older ones. */
export async function takePage<Row>(
  fetchRows: (limit: number) => Promise<readonly Row[]>,
  size = 50,
): Promise<ListPage<Row>> {
  const rows = await fetchRows(size + 1);
  return { found: rows.slice(0, size), isMore: rows.length > size };
}
