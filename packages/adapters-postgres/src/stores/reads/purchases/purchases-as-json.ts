import type { PurchaseWords } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { toIsoTime } from '../../../database/time-texts.ts';
import {
  type CellPage,
  type CellText,
  orEmpty,
  ROWS_PER_PAGE,
  readCells,
  selectCells,
} from '../../../statements/cells.ts';
import { BEFORE_ALL, inPagesAhead } from '../../../statements/in-pages.ts';
import { readRow } from '../../../statements/rows.ts';

/** As much as a socket takes at once. Other work runs in between, and the memory is reused. */
const ROWS_AT_ONCE = 125;

/**
 * Every purchase as JSON, newest first, as texts of many rows. PostgreSQL gives all cells of a page in one text, and this
 * process inserts them between the names: PostgreSQL would take longer for the JSON than for reading the rows.
 */
export async function* listPurchasesAsJson(
  db: Db,
  orgId: string,
  words: PurchaseWords,
): AsyncGenerator<string, void, undefined> {
  const members = describeMembers(orgId, words);
  const step = ROWS_AT_ONCE * members.length;
  for await (const { cells } of inPagesAhead((after: Cursor | null) =>
    fetchPage(db, orgId, members, after),
  )) {
    for (let at = 0; at < cells.length; at += step) yield writeRows(cells.slice(at, at + step), members);
  }
}

/** One or more members of a row's JSON, written from one of its cells. */
interface Member {
  /** The JSON in front of the value. */
  readonly name: string;
  readonly cell: RawBuilder<unknown>;
  write(cell: string): string;
}

/** In the order of `PurchaseRow`. Columns of purchases must also be listed in `page`. The last member closes the object. */
function describeMembers(orgId: string, { amount, downloadUrl }: PurchaseWords): readonly Member[] {
  const writeAmount = (cell: string) => {
    const end = cell.indexOf(' ');
    const currency = end < 0 ? null : cell.slice(end + 1);
    const digits = amount(end < 0 ? cell : cell.slice(0, end), currency);
    return `${JSON.stringify(digits)},"currency":${JSON.stringify(currency)}`;
  };
  const writeUrl = (linkId: string) => (linkId === '' ? 'null' : JSON.stringify(downloadUrl(linkId)));
  return [
    { name: '{"id":', cell: sql`page.id`, write: writeId },
    { name: `,"orgId":"${orgId}","customerId":`, cell: sql`page.customer_id`, write: writeId },
    { name: ',"customerName":', cell: sql`customer.name`, write: JSON.stringify },
    { name: ',"customerEmail":', cell: sql`customer.email`, write: JSON.stringify },
    { name: ',"productId":', cell: sql`page.product_id`, write: writeId },
    { name: ',"productName":', cell: sql`product.name`, write: JSON.stringify },
    { name: ',"productSlug":', cell: sql`product.slug`, write: JSON.stringify },
    { name: ',"amount":', cell: sql`concat_ws(' ', page.amount, page.currency)`, write: writeAmount },
    { name: ',"paymentMethod":', cell: sql`page.payment_method`, write: JSON.stringify },
    { name: ',"source":', cell: sql`page.source`, write: JSON.stringify },
    { name: ',"orderId":', cell: orEmpty(sql`'=' || page.order_id`), write: writeOrderId },
    { name: ',"createdAt":', cell: sql`page.created_at`, write: writeTime },
    { name: ',"downloadUrl":', cell: orEmpty(sql`link.id`), write: writeUrl },
    { name: ',"downloadExpiresAt":', cell: orEmpty(sql`link.expires_at`), write: writeTime },
    { name: ',"downloadUsedAt":', cell: orEmpty(sql`link.used_at`), write: writeTime },
    { name: ',"receiptSentAt":', cell: orEmpty(sql`receipt.sent_at`), write: writeTime },
    { name: ',"isTest":', cell: sql`page.is_test`, write: (cell) => (cell === 't' ? 'true}' : 'false}') },
  ];
}

const writeId = (id: string) => `"${id}"`;
const writeTime = (time: string) => (time === '' ? 'null' : `"${toIsoTime(time)}"`);
/** The cell has a sign in front of the id, because an id may be empty. */
const writeOrderId = (cell: string) => (cell === '' ? 'null' : JSON.stringify(cell.slice(1)));

function writeRows(cells: readonly string[], members: readonly Member[]): string {
  let rows = '';
  for (let at = 0; at < cells.length; at += members.length) {
    if (at > 0) rows += ',';
    for (const [index, { name, write }] of members.entries()) rows += name + write(cells[at + index] ?? '');
  }
  return rows;
}

interface Cursor {
  /** As PostgreSQL wrote it. */
  readonly createdAt: string;
  readonly id: string;
}

async function fetchPage(
  db: Db,
  orgId: string,
  members: readonly Member[],
  after: Cursor | null,
): Promise<CellPage<Cursor>> {
  const values = members.map(({ cell }) => cell);
  const { cells, found } = await readCells(values.length, async (separator) => {
    const statement = sql<CellText & { readonly end: Cursor | null }>`
      with ${page(orgId, after)}, ${relatedRows(orgId)}
      select rows.*, (
        select json_build_object('createdAt', created_at::text, 'id', id)
        from page order by created_at desc, id desc offset ${sql.lit(ROWS_PER_PAGE - 1)}
      ) as "end"
      from (
        select ${selectCells(values, separator, sql`page.created_at desc, page.id desc`)}
        from page
        full join customer on customer.id = page.customer_id
        full join product on product.id = page.product_id
        full join receipt on receipt.id = page.receipt_id
        full join link on link.purchase_id = page.id
      ) rows
    `;
    return readRow(db, statement);
  });
  return { cells, end: found.end };
}

function page(orgId: string, after: Cursor | null): RawBuilder<unknown> {
  const { createdAt, id } = after ?? BEFORE_ALL;
  return sql`
    page as materialized (
      select id, customer_id, product_id, amount, currency, payment_method, source, order_id, receipt_id, created_at, is_test
      from purchases
      where org_id = ${orgId} and (created_at, id) < (${createdAt}, ${id})
      order by created_at desc, id desc
      limit ${sql.lit(ROWS_PER_PAGE)}
    )
  `;
}

/**
 * The rows of other tables that rows of the page refer to. One index scan over all ids finds those of a table, in half the time
 * of a lookup for each row. A full join gives the same result as a left join, since each of them belongs to a row of the page.
 * But a full join is never a nested loop, which the planner would choose, because it estimates any array at ten ids.
 */
function relatedRows(orgId: string): RawBuilder<unknown> {
  return sql`
    customer as materialized (
      select id, name, email from customers
      where org_id = ${orgId} and id = any(array(select customer_id from page))
    ),
    product as materialized (
      select id, name, slug from products
      where org_id = ${orgId} and id = any(array(select product_id from page))
    ),
    receipt as materialized (
      select id, sent_at from outgoing_emails
      where org_id = ${orgId} and id = any(array(select receipt_id from page))
    ),
    link as materialized (
      select distinct on (purchase_id) purchase_id, id, expires_at, used_at from download_links
      where org_id = ${orgId} and purchase_id = any(array(select id from page))
      order by purchase_id, created_at desc, id desc
    )
  `;
}
