import { subjectOfReceipt } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';

/** Whether somebody dismissed this row of `deliveries`: see `isOfFailure` of the domain. */
export function isEntryDismissed(orgId: string, entry: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${entry}.status = 'error' and exists (
    select from dismissals dismissed
    where dismissed.org_id = ${orgId} and dismissed.seen_at >= greatest(${entry}.received_at, ${entry}.decided_at)
      and dismissed.subject = ${subjectOfEntryIn(entry)} offset 0
  ) and not exists (
    select from delivery_lines other_line
    where other_line.org_id = ${orgId} and other_line.delivery_id = ${entry}.id
      and (other_line.outcome = 'unmatched' or other_line.purchase_id is not null) offset 0
  ))`;
}

/**
 * `subjectOfEntry` for this row. Ids are cast, because a concatenation without casts is not immutable, and Citus refuses such an
 * expression in an update.
 */
export function subjectOfEntryIn(entry: RawBuilder<unknown>): RawBuilder<string> {
  return sql`case
    when ${entry}.order_id is null then 'delivery ' || ${entry}.id::text
    else 'order ' || ${entry}.connection_id::text || ' ' || ${entry}.order_id
  end`;
}

/**
 * Whether somebody dismissed this row of `deliveries`, alone or with the whole item of Overview: then no mail names it. See
 * `itemOfEntry` and `isEntryAmong` of the domain.
 */
export function isEntryOfNoConcern(orgId: string, entry: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${isEntryDismissed(orgId, entry)} or ${entry}.status = 'error' and exists (
    select from dismissals item
    where item.org_id = ${orgId}
      and item.seen_at >= case item.subject
        when 'unmatched' then ${entry}.received_at
        else greatest(${entry}.received_at, ${entry}.decided_at)
      end
      and item.subject = case
        when ${entry}.decided_at is null then 'unreadable'
        when exists (
          select from delivery_lines item_line
          where item_line.org_id = ${orgId} and item_line.delivery_id = ${entry}.id
            and item_line.sku_key is not null
        ) then 'unmatched'
        else 'failed'
      end
    offset 0
  ))`;
}

/** The same for a refused receipt. */
export function isReceiptOfNoConcern(orgId: string, receipt: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${isReceiptDismissed(orgId, receipt)} or exists (
    select from dismissals item
    where item.org_id = ${orgId} and item.subject = 'refused'
      and item.seen_at >= coalesce(${receipt}.last_answer_at, ${receipt}.created_at) offset 0
  ))`;
}

/** Whether somebody dismissed this row of `outgoing_emails`: see `isOfRefusal` of the domain. */
export function isReceiptDismissed(orgId: string, receipt: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (
    select from dismissals dismissed
    where dismissed.org_id = ${orgId} and dismissed.subject = ${subjectOfReceipt('')} || ${receipt}.id::text
      and dismissed.seen_at >= ${receipt}.last_answer_at offset 0
  )`;
}
