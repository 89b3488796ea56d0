const PAGE = 200;

/**
 * Iterates over all rows of a paginated list (keyset pagination). One page is in memory at a time, and no
 * database connection is held between pages.
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
