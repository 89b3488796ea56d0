import { type RawBuilder, sql } from 'kysely';

/** The columns of a purchase in every list; select them from `page`, rows of purchases, with `purchaseJoins`. */
export const purchaseColumns = sql`
  page.id,
  page.org_id as "orgId",
  page.customer_id as "customerId",
  customer.name as "customerName",
  customer.email as "customerEmail",
  page.product_id as "productId",
  product.name as "productName",
  product.slug as "productSlug",
  page.amount,
  page.currency,
  page.payment_method as "paymentMethod",
  page.source,
  page.order_id as "orderId",
  page.created_at as "createdAt",
  link.id as "linkId",
  link.expires_at as "downloadExpiresAt",
  link.used_at as "downloadUsedAt",
  receipt.sent_at as "receiptSentAt",
  page.is_test as "isTest"
`;

/** All rows are of one organisation. Each join compares `org_id` with its id, as every statement must. */
export function purchaseJoins(orgId: string): RawBuilder<unknown> {
  return sql`
  from page
  join customers customer on customer.org_id = ${orgId} and customer.id = page.customer_id
  join products product on product.org_id = ${orgId} and product.id = page.product_id
  left join outgoing_emails receipt on receipt.org_id = ${orgId} and receipt.id = page.receipt_id
  left join lateral ${newestLink(orgId, sql`page.id`)} link on true
`;
}

/** The newest link of a purchase, which decides whether the purchase is revoked. To be joined as a lateral subquery. */
export function newestLink(
  orgId: string | RawBuilder<unknown>,
  purchaseId: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    select * from download_links
    where org_id = ${orgId} and purchase_id = ${purchaseId}
    order by created_at desc, id desc
    limit 1
  )`;
}

/** Whether a row of `download_links` has the same revocation as the newest link of its purchase. */
export function wasRevokedWith(newest: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(
    download_links.revoked_at = ${newest}.revoked_at
    and download_links.revocation_id is not distinct from ${newest}.revocation_id
  )`;
}
