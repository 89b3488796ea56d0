/** Where a page of a list ended: the next one goes on with older rows. */
export interface Mark {
  readonly createdAt: Date;
  readonly id: string;
}

const PAGE = 1000;

/**
 * Every row, newest first, a page at a time. Between two pages no connection is held: a reader who takes his
 * time (and each list goes as fast as its reader) must not keep one from the webhooks, nor hold back the
 * vacuum.
 */
export async function* newestFirst<Row extends Mark>(
  fetchPage: (after: Mark | null, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row, void, undefined> {
  let after: Mark | null = null;
  while (true) {
    const rows: readonly Row[] = await fetchPage(after, PAGE);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last;
  }
}
