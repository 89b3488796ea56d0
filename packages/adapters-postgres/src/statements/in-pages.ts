import { LAST_ID } from './ids.ts';

/** Where a page ended, in a list from the newest row to the oldest. */
export interface Cursor {
  readonly createdAt: Date;
  readonly id: string;
}

/** Sorts before every row, so that the first page uses the same statement as the others. */
export const BEFORE_ALL = { createdAt: 'infinity', id: LAST_ID };

/** A page is read and written without a pause. With this size it delays other work by a few milliseconds only. */
const PAGE = 500;

/**
 * Every row of a list, page by page; each page continues after the last row of the one before. No connection is held
 * between pages: a slow reader must not keep one from the webhooks, nor hold back the vacuum.
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
 * Pages, each with the cursor where it ended: null for the last one. PostgreSQL reads the next page while this one is written. As
 * with `inPages`, a slow reader holds no connection. Not for use within a transaction.
 */
export async function* inPagesAhead<End, Page extends { readonly end: End | null }>(
  fetchPage: (after: End | null) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  let next: Promise<Page> | null = fetchPage(null);
  while (next) {
    const page: Page = await next;
    next = page.end && fetchPage(page.end);
    // The reader gets this error, but may be gone by then.
    next?.catch(() => undefined);
    yield page;
  }
}
