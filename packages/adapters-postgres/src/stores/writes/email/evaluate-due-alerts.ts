import type { CollectedAlert } from '@handover/domain';
import { evaluateAlerts } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import { columnsOf } from '../../../statements/columns-of.ts';
import { type Collecting, listDue, loadForAlerts } from './collected-alerts.ts';

/** Each comes with every entry of its order. */
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

/** Passed in addition to the keys, so that PostgreSQL searches this page and not the whole flood for every page. */
function isOfPage({ orgId, mailId }: Collecting, page: readonly CollectedAlert[]): RawBuilder<boolean> {
  const [oldest, newest] = [page.at(0)?.details.at, page.at(-1)?.details.at];
  return sql`org_id = ${orgId} and mail_id = ${mailId} and at between ${oldest} and ${newest}`;
}

/** Deletes them without a trace: no mail named them. */
async function forget(
  trx: Trx,
  dropped: readonly CollectedAlert[],
  ofPage: RawBuilder<boolean>,
): Promise<void> {
  if (dropped.length === 0) return;
  const column = columnsOf(dropped);
  await sql`
    delete from alerts
    where ${ofPage} and (about, cause) in (
      select * from unnest(${column('about')}::text[], ${column('cause')}::text[])
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
  const column = columnsOf(told.map(({ about, cause, details }) => ({ about, cause, ...details })));
  await sql`
    update alerts set delivery_id = still.delivery_id, reason = still.reason
    from unnest(
      ${column('about')}::text[],
      ${column('cause')}::text[],
      ${column('deliveryId')}::uuid[],
      ${column('reason')}::text[]
    ) as still (about, cause, delivery_id, reason)
    where ${ofPage} and alerts.about = still.about and alerts.cause = still.cause
      and (alerts.delivery_id, alerts.reason) is distinct from (still.delivery_id, still.reason)
  `.execute(trx);
}
