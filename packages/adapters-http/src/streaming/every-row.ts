const PAGE = 200;

/**
 * Every row of a list that is read by pages, each page after the last row of the one before. One page is in memory at a
 * time, and no connection to the database is held between two pages.
 */
export async function* everyRow<Row extends { readonly id: string }>(
  fetchPage: (page: { readonly before: string | null; readonly limit: number }) => Promise<readonly Row[]>,
  before: string | null = null,
): AsyncGenerator<Row, void, undefined> {
  let after = before;
  for (;;) {
    const rows = await fetchPage({ before: after, limit: PAGE });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.id;
  }
}
