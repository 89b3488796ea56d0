import type { ReportedSession } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { parseTime } from '../../../database/time-texts.ts';
import {
  type CellPage,
  type CellText,
  orEmpty,
  ROWS_PER_PAGE,
  readCells,
  selectCells,
} from '../../../statements/cells.ts';
import { FIRST_ID } from '../../../statements/ids.ts';
import { inPagesAhead } from '../../../statements/in-pages.ts';
import { readRow } from '../../../statements/rows.ts';

/**
 * The sessions that began in a period, oldest first, with product and buyer. Names of files and distinct bytes are not in the
 * report, so they are not read.
 */
export async function* reportSessions(
  db: Db,
  orgId: string,
  period: Period,
): AsyncGenerator<ReportedSession, void, undefined> {
  for await (const { cells } of inPagesAhead((after: Cursor | null) => fetchPage(db, orgId, period, after)))
    for (let at = 0; at < cells.length; at += CELLS.length) yield toSession(cells, at);
}

interface Period {
  readonly from: Date;
  readonly until: Date;
}

/** Where a page ended. */
interface Cursor {
  readonly id: string;
  /** As PostgreSQL wrote it. */
  readonly startedAt: string;
}

/** In the order in which `toSession` reads them. The next page continues after the first two of the last row. */
const CELLS: readonly RawBuilder<unknown>[] = [
  sql`page.id`,
  sql`page.started_at`,
  sql`page.last_byte_at`,
  sql`page.bytes`,
  orEmpty(sql`page.completed_at`),
  orEmpty(sql`page.client`),
  sql`sale.id`,
  orEmpty(sql`'=' || sale.order_id`),
  sql`sale.product_name`,
  orEmpty(sql`'=' || version.version`),
  sql`customer.name`,
  sql`customer.email`,
  sql`coalesce(files.begun, 0)`,
  sql`coalesce(files.whole, 0)`,
  orEmpty(sql`'=' || sale.order_number`),
];

function toSession(cells: readonly string[], at: number): ReportedSession {
  const cell = (index: number) => cells[at + index] ?? '';
  const completedAt = cell(4);
  const client = cell(5);
  return {
    id: cell(0),
    startedAt: parseTime(cell(1)),
    lastByteAt: parseTime(cell(2)),
    bytes: Number(cell(3)),
    completedAt: completedAt === '' ? null : parseTime(completedAt),
    client: client === 'browser' || client === 'companion' ? client : null,
    purchaseId: cell(6),
    orderId: afterSign(cell(7)),
    productName: cell(8),
    version: afterSign(cell(9)),
    customerName: cell(10),
    customerEmail: cell(11),
    filesBegun: Number(cell(12)),
    filesWhole: Number(cell(13)),
    orderNumber: afterSign(cell(14)),
  };
}

/** Reads a nullable text, which has a sign in front of it to distinguish null from an empty text. */
function afterSign(cell: string): string | null {
  return cell === '' ? null : cell.slice(1);
}

async function fetchPage(
  db: Db,
  orgId: string,
  { from, until }: Period,
  after: Cursor | null,
): Promise<CellPage<Cursor>> {
  const { cells, found } = await readCells(CELLS.length, async (separator) => {
    const statement = sql<CellText>`
      with page as materialized (
        select id, link_id, started_at, last_byte_at, bytes, completed_at, client
        from download_sessions
        where org_id = ${orgId} and started_at >= ${from} and started_at < ${until}
          and (started_at, id) > (${after?.startedAt ?? '-infinity'}, ${after?.id ?? FIRST_ID})
        order by started_at, id
        limit ${sql.lit(ROWS_PER_PAGE)}
      ),
      ${relatedRows(orgId)}
      select ${selectCells(CELLS, separator, sql`page.started_at, page.id`)}
      from page
      full join link on link.id = page.link_id
      full join sale on sale.id = link.purchase_id
      full join customer on customer.id = coalesce(link.customer_id, sale.customer_id)
      full join version on version.id = sale.version_id
      full join files on files.session_id = page.id
    `;
    return readRow(db, statement);
  });
  const [id = '', startedAt = ''] = cells.slice(-CELLS.length);
  return { cells, end: found.count < ROWS_PER_PAGE ? null : { id, startedAt } };
}

/**
 * The rows of other tables that sessions of the page refer to: see the same function in `purchases-as-json.ts` for the index
 * scans and the full joins.
 */
function relatedRows(orgId: string): RawBuilder<unknown> {
  return sql`
    link as materialized (
      select id, purchase_id, customer_id from download_links
      where org_id = ${orgId} and id = any(array(select link_id from page))
    ),
    purchase as materialized (
      select id, order_id, order_number, customer_id, product_id, version_id from purchases
      where org_id = ${orgId} and id = any(array(select purchase_id from link))
    ),
    customer as materialized (
      select id, name, email from customers
      where org_id = ${orgId} and id = any(array(
        select coalesce(link.customer_id, purchase.customer_id)
        from link
        full join purchase on purchase.id = link.purchase_id
      ))
    ),
    product as materialized (
      select id, name, active_version_id from products
      where org_id = ${orgId} and id = any(array(select product_id from purchase))
    ),
    sale as materialized (
      select purchase.id, purchase.order_id, purchase.order_number, purchase.customer_id, product.name as product_name,
        coalesce(purchase.version_id, product.active_version_id) as version_id
      from purchase
      full join product on product.id = purchase.product_id
    ),
    version as materialized (
      select id, version from product_versions
      where org_id = ${orgId} and id = any(array(select version_id from sale))
    ),
    files as materialized (
      select session_id, count(*)::integer as begun,
        (count(*) filter (where int8range(0, size) <@ sent))::integer as whole
      from download_session_files
      where org_id = ${orgId} and session_id = any(array(select id from page))
      group by session_id
    )
  `;
}
