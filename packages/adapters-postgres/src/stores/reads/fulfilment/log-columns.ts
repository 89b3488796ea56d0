import { type RawBuilder, sql } from 'kysely';
import { isEntryDismissed } from '../overview/dismissed.ts';

/** The columns of an entry in every list; select them from `page`. */
export const entryColumns = sql`
  page.id,
  page.org_id as "orgId",
  page.platform,
  page.connection_id as "connectionId",
  page.order_id as "orderId",
  page.order_number as "orderNumber",
  page.email_normalized as "normalizedEmail",
  page.received_at as "receivedAt",
  page.status,
  page.reason,
  nullif(concat_ws(' ', page.received_note, page.note), '') as note`;

/** The members of a line's JSON, from a row of `delivery_lines`. */
export const lineMembers = sql`
  'position', position,
  'sku', sku,
  'outcome', outcome,
  'reason', reason,
  'productId', product_id,
  'purchaseId', purchase_id,
  'candidate', candidate`;

/** The columns of an entry as the log's page shows it, with its first lines; select them from `page`. */
export function logColumns(orgId: string, mostLines: number): RawBuilder<unknown> {
  return sql`
    ${entryColumns},
    (
      select name from connections where org_id = ${orgId} and id = page.connection_id
    ) as "connectionName",
    page.attempts,
    page.is_test as "isTest",
    page.decided_at as "decidedAt",
    ${isEntryDismissed(orgId, sql`page`)} as "isDismissed",
    (
      select count(*)::integer from delivery_lines where org_id = ${orgId} and delivery_id = page.id
    ) as "lineCount",
    exists (
      select from delivery_lines
      where org_id = ${orgId} and delivery_id = page.id and outcome = 'unmatched'
    ) as "hasUnmatched",
    (
      select coalesce(json_agg(json_build_object(
        ${lineMembers},
        'productName', (select name from products where org_id = ${orgId} and id = product_id)
      ) order by position), '[]')
      from (
        select * from delivery_lines
        where org_id = ${orgId} and delivery_id = page.id
        order by position
        limit ${mostLines}
      ) line
    ) as lines`;
}
