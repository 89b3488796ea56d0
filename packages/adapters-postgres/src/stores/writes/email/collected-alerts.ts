import type { AlertDetails, Candidate, CatalogueFacts, CollectedAlert } from '@handover/domain';
import { evaluateAlerts, latestDue } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import { unnestRows } from '../../../statements/rows.ts';
import { keepsAlert } from '../../reads/fulfilment/rejected-deliveries.ts';
import { isEntryOfNoConcern, isReceiptOfNoConcern } from '../../reads/overview/dismissed.ts';
import { fetchNamed } from '../fulfilment/load-snapshots.ts';

/** A collecting mail, and the time at which it is checked. */
export interface Collecting {
  readonly orgId: string;
  readonly mailId: string;
  readonly now: Date;
}

/**
 * A page of the due alerts of a mail, oldest first, with the current state of their subjects. `after`: the last alert
 * of the previous page.
 */
export async function listDue(
  trx: Trx,
  { orgId, mailId, now }: Collecting,
  after: CollectedAlert | null,
  limit: number,
): Promise<readonly CollectedAlert[]> {
  const { rows } = await sql<Pick<CollectedAlert, 'about' | 'cause' | 'now'> & AlertDetails>`
    select
      alert.about, alert.cause, alert.delivery_id as "deliveryId", alert.platform,
      alert.order_number as "orderNumber", alert.customer_email as "customerEmail", alert.reason, alert.at,
      case alert.cause
        when 'unreadable' then json_build_object('kind', 'body', 'unread', ${unread(orgId)})
        when 'rejected' then json_build_object('kind', 'rejected', 'isKept', ${isKept(orgId)})
        when 'receipt-refused' then json_build_object('kind', 'receipt', 'isRefused', ${isRefused(orgId)})
        else json_build_object('kind', 'order', 'isSold', ${isSold(orgId)}, 'entries', ${entries(orgId)})
      end as now
    from (
      select * from alerts
      where org_id = ${orgId} and mail_id = ${mailId} and at <= ${latestDue(now)} ${isAfter(after)}
      order by at, about, cause
      limit ${limit}
    ) alert
    left join deliveries entry on entry.org_id = ${orgId} and entry.id = alert.delivery_id
    order by alert.at, alert.about, alert.cause
  `.execute(trx);
  return rows.map(({ about, cause, now, ...details }) => ({ about, cause, details, now }));
}

function isAfter(last: CollectedAlert | null) {
  if (!last) return sql``;
  const { about, cause, details } = last;
  return sql`and (at, about, cause) > (${details.at}, ${about}, ${cause})`;
}

/** Loads what the unmatched lines of these alerts can match now. */
export function loadForAlerts(
  trx: Trx,
  orgId: string,
  collected: readonly CollectedAlert[],
): Promise<CatalogueFacts> {
  const candidates = new Map<string, Candidate>();
  for (const { now } of collected) {
    if (now.kind !== 'order') continue;
    for (const { sku, candidate, outcome } of now.entries.flatMap(({ lines }) => lines)) {
      if (outcome !== 'unmatched' || candidate === null) continue;
      candidates.set(`${candidate} ${sku}`, { kind: candidate, value: sku });
    }
  }
  return fetchNamed(trx, orgId, [...candidates.values()]);
}

/** Finds a receipt by its order: another one may have replaced it. */
const isRefused = (orgId: string) => sql`(
  exists (
    select from purchases purchase
    join outgoing_emails receipt on receipt.org_id = ${orgId} and receipt.id = purchase.receipt_id
    where purchase.org_id = ${orgId} and purchase.connection_id = entry.connection_id
      and purchase.order_id = entry.order_id and receipt.status = 'refused'
      and not ${isReceiptOfNoConcern(orgId, sql`receipt`)}
  )
  or entry.id is null and exists (
    select from outgoing_emails receipt
    join purchases purchase on purchase.org_id = ${orgId} and purchase.receipt_id = receipt.id
    where receipt.org_id = ${orgId} and receipt.id = alert.subject_id and receipt.status = 'refused'
      and not ${isReceiptOfNoConcern(orgId, sql`receipt`)}
  )
)`;

/** The alert's own entry, or the next unreadable one of its connection. Dismissed ones are skipped. */
const unread = (orgId: string) => sql`(
  case when entry.decided_at is null and not ${isEntryOfNoConcern(orgId, sql`entry`)} then (
    select json_build_object('deliveryId', entry.id, 'reason', entry.reason) where entry.id is not null
  ) else (
    select json_build_object('deliveryId', other.id, 'reason', other.reason) from deliveries other
    where other.org_id = ${orgId} and other.connection_id = entry.connection_id and other.status = 'error'
      and other.id > entry.id and other.order_id is null and entry.order_id is null and other.decided_at is null
      and not ${isEntryOfNoConcern(orgId, sql`other`)}
    order by other.id
    limit 1
  ) end
)`;

const isKept = (orgId: string) => sql`exists (
  select from rejected_deliveries kept
  where kept.org_id = ${orgId} and kept.platform = alert.platform and kept.received_at >= alert.at
    and ${keepsAlert(orgId)}
    and not exists (
      select from dismissals item
      where item.org_id = ${orgId} and item.subject = 'rejecting ' || alert.platform
        and item.seen_at >= kept.received_at
    )
)`;

const isSold = (orgId: string) => sql`exists (
  select from purchases
  where org_id = ${orgId} and connection_id = entry.connection_id and order_id = entry.order_id
)`;

/** All entries of the order, except dismissed ones. */
const entries = (orgId: string) => sql`(
  select coalesce(json_agg(json_build_object(
    'deliveryId', other.id,
    'platform', other.platform,
    'status', other.status,
    'reason', other.reason,
    'lines', (
      select coalesce(json_agg(json_build_object(
        'sku', sku, 'candidate', candidate, 'outcome', outcome
      ) order by position), '[]')
      from delivery_lines where org_id = ${orgId} and delivery_id = other.id
    )
  ) order by other.id), '[]')
  from deliveries other
  where other.org_id = ${orgId} and other.connection_id = entry.connection_id
    and other.order_id = entry.order_id and not ${isEntryOfNoConcern(orgId, sql`other`)}
)`;

/** The number of alerts that are in memory at once, each with all entries of its order. */
export const ALERTS_AT_ONCE = 300;

/**
 * Checks the due, locked alerts of a mail, page by page: a shop with a wrong mapping raises tens of thousands.
 * Returns whether any must be mailed.
 */
export async function evaluateDueAlerts(trx: Trx, collecting: Collecting): Promise<boolean> {
  let isAnyTold = false;
  let after: CollectedAlert | null = null;
  while (true) {
    const page: readonly CollectedAlert[] = await listDue(trx, collecting, after, ALERTS_AT_ONCE);
    const last = page.at(-1);
    if (!last) return isAnyTold;
    if (await evaluatePage(trx, collecting, page)) isAnyTold = true;
    if (page.length < ALERTS_AT_ONCE) return isAnyTold;
    after = last;
  }
}

async function evaluatePage(
  trx: Trx,
  collecting: Collecting,
  page: readonly CollectedAlert[],
): Promise<boolean> {
  const { told, dropped } = evaluateAlerts(page, await loadForAlerts(trx, collecting.orgId, page));
  const ofPage = isOfPage(collecting, page);
  await forget(trx, dropped, ofPage);
  await rewrite(trx, told, ofPage);
  return told.length > 0;
}

/** Passed in addition to the keys, so that PostgreSQL searches only this page, not all alerts of the mail for every page. */
function isOfPage({ orgId, mailId }: Collecting, page: readonly CollectedAlert[]): RawBuilder<boolean> {
  const [oldest, newest] = [page.at(0)?.details.at, page.at(-1)?.details.at];
  return sql`org_id = ${orgId} and mail_id = ${mailId} and at between ${oldest} and ${newest}`;
}

/** Deletes the alerts that no mail has to name. */
async function forget(
  trx: Trx,
  dropped: readonly CollectedAlert[],
  ofPage: RawBuilder<boolean>,
): Promise<void> {
  if (dropped.length === 0) return;
  await sql`
    delete from alerts
    where ${ofPage} and (about, cause) in (
      select * from ${unnestRows(dropped).as('dropped (about text, cause text)')}
    )
  `.execute(trx);
}

/** The content of a closed mail is fixed, so its current text is stored. */
async function rewrite(
  trx: Trx,
  told: readonly CollectedAlert[],
  ofPage: RawBuilder<boolean>,
): Promise<void> {
  if (told.length === 0) return;
  const still = told.map(({ about, cause, details }) => ({ about, cause, ...details }));
  await sql`
    update alerts set delivery_id = still.delivery_id, reason = still.reason
    from ${unnestRows(still).as('still (about text, cause text, delivery_id uuid, reason text)')}
    where ${ofPage} and alerts.about = still.about and alerts.cause = still.cause
      and (alerts.delivery_id, alerts.reason) is distinct from (still.delivery_id, still.reason)
  `.execute(trx);
}
