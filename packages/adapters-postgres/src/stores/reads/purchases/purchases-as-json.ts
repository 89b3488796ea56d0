import type { PurchaseWords } from '@handover/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { BEFORE_ALL, inPagesAhead, type Mark } from '../../../statements/in-pages.ts';

/** Each page takes some milliseconds, in PostgreSQL and in this process. */
const PAGE = 500;

/**
 * Every purchase as JSON, newest first, as texts of many rows. PostgreSQL writes the JSON: creating and serializing a
 * million objects takes three times as long as reading them.
 */
export async function* listPurchasesAsJson(
  db: Kysely<Schema>,
  orgId: string,
  words: PurchaseWords,
): AsyncGenerator<string, void, undefined> {
  for await (const { pieces } of inPagesAhead((after: Mark | null) => fetchPage(db, orgId, after))) {
    if (pieces !== null) yield joinPieces(pieces.split(SEPARATOR), words);
  }
}

/** JSON escapes all control characters, so none of the pieces contains this one. */
const SEPARATOR = '\u0001';
/** The pieces of a row: before the amount, the amount, the currency, before the link, the link, and the rest. */
const PIECES = 6;

/** Inserts what PostgreSQL cannot write: amounts in the digits of their currency, and URLs, which contain a MAC. */
function joinPieces(pieces: string[], { amount, downloadUrl }: PurchaseWords): string {
  for (let at = 0; at < pieces.length; at += PIECES) {
    const [, digits = '', currency = '', , linkId = ''] = pieces.slice(at, at + PIECES);
    pieces[at + 1] = `${JSON.stringify(amount(digits, JSON.parse(currency)))},"currency":`;
    pieces[at + 4] = linkId === '' ? 'null' : JSON.stringify(downloadUrl(linkId));
  }
  return pieces.join('');
}

interface JsonPage {
  /** Null: there are no rows. */
  readonly pieces: string | null;
  readonly end: Mark | null;
}

/**
 * One index scan over all ids finds the rows of the other tables, in half the time of a lookup for each row. They all
 * belong to rows of the page, so a full join gives the same result as a left join. But a full join is never a nested
 * loop, which the planner would choose, because it estimates any array at ten ids.
 */
async function fetchPage(db: Kysely<Schema>, orgId: string, after: Mark | null): Promise<JsonPage> {
  const { createdAt, id } = after ?? BEFORE_ALL;
  const statement = sql<{ readonly pieces: string | null; readonly count: number } & Mark>`
    with page as materialized (
      select id, org_id, customer_id, product_id, amount, currency, payment_method, source, order_id, receipt_id, created_at, is_test
      from purchases
      where org_id = ${orgId} and (created_at, id) < (${createdAt}, ${id})
      order by created_at desc, id desc
      limit ${PAGE}
    ),
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
    select rows.*, mark.* from (
      select
        count(*)::integer as count,
        string_agg(${rowInPieces}, ${sql.lit(`${SEPARATOR},`)} order by page.created_at desc, page.id desc) as pieces
      from page
      full join customer on customer.id = page.customer_id
      full join product on product.id = page.product_id
      full join receipt on receipt.id = page.receipt_id
      full join link on link.purchase_id = page.id
    ) rows
    left join (select created_at as "createdAt", id from page order by created_at, id limit 1) mark on true
  `;
  const [row] = (await statement.execute(db)).rows;
  if (!row) throw new Error('An aggregate answered no row.');
  return { pieces: row.pieces, end: row.count < PAGE ? null : { createdAt: row.createdAt, id: row.id } };
}

const next = sql.lit(SEPARATOR);
const rowInPieces = sql`concat(
  '{"id":"', page.id, '","orgId":"', page.org_id, '","customerId":"', page.customer_id,
  '","customerName":', to_json(customer.name), ',"customerEmail":', to_json(customer.email),
  ',"productId":"', page.product_id, '","productName":', to_json(product.name),
  ',"productSlug":', to_json(product.slug), ',"amount":',
  ${next}, page.amount, ${next}, ${jsonOr('page.currency')}, ${next},
  ',"paymentMethod":', to_json(page.payment_method), ',"source":', to_json(page.source),
  ',"orderId":', ${jsonOr('page.order_id')}, ',"createdAt":', ${time('page.created_at')}, ',"downloadUrl":',
  ${next}, link.id, ${next},
  ',"downloadExpiresAt":', ${time('link.expires_at')}, ',"downloadUsedAt":', ${time('link.used_at')},
  ',"receiptSentAt":', ${time('receipt.sent_at')}, ',"isTest":', to_json(page.is_test), '}'
)`;

function jsonOr(column: string): RawBuilder<string> {
  return sql`coalesce(to_json(${sql.ref(column)})::text, 'null')`;
}

/**
 * The format of `toISOString`. PostgreSQL omits trailing zeros of a fraction, unless a microsecond follows them.
 * `to_char` would take longer, and times have millisecond precision.
 */
function time(column: string): RawBuilder<string> {
  const text = sql`to_json(${sql.ref(column)} at time zone 'UTC' + interval '1 microsecond')::text`;
  return sql`coalesce(left(${text}, 24) || 'Z"', 'null')`;
}
