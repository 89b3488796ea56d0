/** Where a page of a list by time ended, when the list goes from the newest row to the oldest. */
export interface Mark {
  readonly createdAt: Date;
  readonly id: string;
}

/** Every row comes after it: so the first page is read by the same statement as the others. */
export const BEFORE_ALL = { createdAt: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** Read and written out in one go, so that others wait no longer than some milliseconds for their turn. */
const PAGE = 500;

/**
 * Every row of a list, a page at a time; each page goes on after the last row of the one before. Between two
 * pages no connection is held: a reader who takes his time (and each list goes as fast as its reader) must
 * not keep one from the webhooks, nor hold back the vacuum.
 */
export async function* inPages<Row>(
  fetchPage: (after: Row | null, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row, void, undefined> {
  let after: Row | null = null;
  while (true) {
    const rows: readonly Row[] = await fetchPage(after, PAGE);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last;
  }
}

/**
 * Pages that say where they end, null for the last one. PostgreSQL reads the next page while this one is written out. As
 * with `inPages`, a reader who takes his time holds no connection. Not for use within a transaction.
 */
export async function* inPagesAhead<End, Page extends { readonly end: End | null }>(
  fetchPage: (after: End | null) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  let next: Promise<Page> | null = fetchPage(null);
  while (next) {
    const page: Page = await next;
    next = page.end && fetchPage(page.end);
    // Its reader hears of it, but may be gone by then.
    next?.catch(() => undefined);
    yield page;
  }
}
