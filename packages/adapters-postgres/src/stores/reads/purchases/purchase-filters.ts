import type { PurchaseQuery } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import { areIds } from '../../../statements/ids.ts';
import { hasOwnNumber } from '../fulfilment/order-numbers.ts';

export type PurchaseListFilter = Omit<PurchaseQuery, 'limit'>;

/** The conditions of a list, for rows called `purchase`. */
export function listFilters(orgId: string, query: PurchaseListFilter): readonly RawBuilder<unknown>[] {
  const {
    productId,
    customerId,
    source,
    connectionId,
    receipt,
    period,
    leavesOutTests = false,
    onlyTests = false,
    ofOrder,
    ids,
    revocationId,
  } = query;
  return [
    sql`purchase.org_id = ${orgId}`,
    ...(productId === null ? [] : [sql`product_id = ${productId}`]),
    ...(customerId === null ? [] : [sql`customer_id = ${customerId}`]),
    ...(period?.from ? [sql`created_at >= ${period.from}`] : []),
    ...(period?.until ? [sql`created_at < ${period.until}`] : []),
    ...(source === null ? [] : [sql`source = ${source}`]),
    ...(connectionId ? [sql`connection_id = ${connectionId}`] : []),
    ...(leavesOutTests ? [sql`not is_test`] : []),
    ...(onlyTests ? [sql`is_test`] : []),
    ...(ofOrder ? [sql`connection_id = ${ofOrder.connectionId} and order_id = ${ofOrder.orderId}`] : []),
    ...(ids ? [sql`id = any(${ids.filter((id) => areIds(id))}::uuid[])`] : []),
    ...(revocationId === undefined
      ? []
      : [
          sql`id in (
            select purchase_id from download_links where org_id = ${orgId} and revocation_id = ${revocationId}
          )`,
        ]),
    ...listStates(orgId, query),
    ...(receipt === null
      ? []
      : [
          sql`receipt_id in (
            select id from outgoing_emails where org_id = ${orgId} and kind = 'receipt' and status = ${receipt}
          )`,
        ]),
    ...listPlaces(orgId, query),
  ];
}

/** Conditions on what happened to the purchase since. */
function listStates(
  orgId: string,
  { isRevoked, isUnopened, isRefunded, refundedIn }: PurchaseListFilter,
): readonly RawBuilder<unknown>[] {
  return [
    ...(isRevoked ? [sql`id in (${purchasesRevoked(orgId)})`] : []),
    ...(isRefunded ? [sql`id = any(array(${purchasesRefunded(orgId)}))`] : []),
    ...(refundedIn?.from ? [sql`${refundedAt(orgId, sql`purchase`)} >= ${refundedIn.from}`] : []),
    ...(refundedIn?.until ? [sql`${refundedAt(orgId, sql`purchase`)} < ${refundedIn.until}`] : []),
    ...(isUnopened ? [isOpenedByNobody(orgId), sql`id not in (${purchasesRevoked(orgId)})`] : []),
  ];
}

/** Conditions on where the page begins. */
function listPlaces(
  orgId: string,
  { olderThan, before }: PurchaseListFilter,
): readonly RawBuilder<unknown>[] {
  return [
    ...(olderThan ? [sql`(created_at, id) < (${olderThan.createdAt}, ${olderThan.id}::uuid)`] : []),
    ...(before === null
      ? []
      : [
          sql`(created_at, id) < (
            select created_at, id from purchases where org_id = ${orgId} and id = ${before}
          )`,
        ]),
  ];
}

/**
 * Whether nobody opened a link of the purchase. A download counts as well, because the library offers files without opening the
 * page of their link. Looked up for each purchase: most are opened within days, so a page of the newest others is found soon.
 */
function isOpenedByNobody(orgId: string): RawBuilder<unknown> {
  return sql`not exists (
    select from download_links opened
    where opened.org_id = ${orgId} and opened.purchase_id = purchase.id
      and (
        opened.opened_count > 0 or opened.used_at is not null
        or exists (
          select from download_sessions fetched
          where fetched.org_id = ${orgId} and fetched.link_id = opened.id
        )
      )
    offset 0
  )`;
}

/**
 * Refunds are few, so their orders are looked up in the index of ids or of numbers. A number that differs from the id only by
 * case or sign is not in the index of numbers: see `hasOwnNumber`. The connection is compared afterwards: without statistics,
 * PostgreSQL would read all purchases of the connection for each refund.
 */
function purchasesRefunded(orgId: string): RawBuilder<unknown> {
  const number = sql`lower(ltrim(refund.order_name, '#'))`;
  const isNamed = sql`order_number = refund.order_name`;
  const waysToFind = [
    ['id', sql`connection_id = refund.connection_id and order_id = refund.order_name`],
    ['number', sql`${isNamed} and ${hasOwnNumber} and lower(ltrim(order_number, '#')) = ${number}`],
    ['number', sql`${isNamed} and lower(order_id) = ${number}`],
  ] as const;
  const found = waysToFind.map(
    ([namedBy, isFound]) => sql`
      select bought.id from refunds refund cross join lateral (
        select id, connection_id from purchases where org_id = ${orgId} and ${isFound}
        offset 0
      ) bought
      where refund.org_id = ${orgId} and refund.named_by = ${sql.lit(namedBy)}
        and bought.connection_id = refund.connection_id
    `,
  );
  return sql.join(found, sql` union all `);
}

/** When the shop first reported a refund of the order of this row of purchases. */
export function refundedAt(orgId: string, row = sql`page`): RawBuilder<unknown> {
  const said = (namedBy: string, name: RawBuilder<unknown>) => sql`(
    select at from refunds
    where org_id = ${orgId} and connection_id = ${row}.connection_id and named_by = ${sql.lit(namedBy)} and order_name = ${name}
  )`;
  return sql`least(${said('id', sql`${row}.order_id`)}, ${said('number', sql`${row}.order_number`)})`;
}

/** The purchases whose newest link is revoked. Older links may be revoked because an address was corrected. */
export function purchasesRevoked(orgId: string): RawBuilder<unknown> {
  return sql`
    select purchase_id from download_links link
    where org_id = ${orgId} and revoked_at is not null and not exists (
      select from download_links newer
      where newer.org_id = ${orgId} and newer.purchase_id = link.purchase_id
        and (newer.created_at, newer.id) > (link.created_at, link.id)
    )
  `;
}
