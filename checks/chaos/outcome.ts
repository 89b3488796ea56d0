import { setTimeout as pause } from 'node:timers/promises';
import { query } from '../../test/query.ts';
import type { SentReceipts, SoldProduct } from './tally.ts';

const LOOK_EVERY_MS = 250;

/** Waits until no order, receipt or job is open. Alerts collect for minutes, and are not waited for. */
export async function untilComplete(
  url: string,
  withinMs: number,
): Promise<{ readonly completeAfterMs: number | null; readonly incomplete: string | null }> {
  const began = performance.now();
  for (;;) {
    const [left] = await query<{ readonly pending: number; readonly owed: number; readonly jobs: number }>(
      url,
      `select
         (select count(*)::integer from deliveries where status = 'pending') as pending,
         (select count(*)::integer from outgoing_emails where kind = 'receipt' and status = 'pending') as owed,
         (select count(*)::integer from jobs where lane <> 'mails') as jobs`,
    );
    const after = performance.now() - began;
    if (left && left.pending + left.owed + left.jobs === 0)
      return { completeAfterMs: after, incomplete: null };
    if (after > withinMs) {
      const { pending, owed, jobs } = left ?? {};
      return {
        completeAfterMs: null,
        incomplete: `${pending} orders pending, ${owed} receipts to be sent, ${jobs} jobs; ${await describeJobs(url)}`,
      };
    }
    await pause(LOOK_EVERY_MS);
  }
}

/** Why the first jobs wait: for their time, for another try, or for the lease of a dead worker. */
async function describeJobs(url: string): Promise<string> {
  const jobs = await query<{ readonly words: string }>(
    url,
    `select format('%s %s, %s failures, due in %s s, leased for %s s', kind, subject, failures,
       round(extract(epoch from due_at - now())), round(extract(epoch from lease_until - now()))) as words
     from jobs where lane <> 'mails' limit 5`,
  );
  return jobs.map(({ words }) => words).join('; ');
}

/** What buyers have in the end. */
export async function readOutcome(
  url: string,
): Promise<{ readonly purchases: readonly SoldProduct[]; readonly receipts: readonly SentReceipts[] }> {
  return {
    purchases: await query(
      url,
      `select customer.email, product.slug as sku from purchases purchase
       join customers customer on customer.org_id = purchase.org_id and customer.id = purchase.customer_id
       join products product on product.org_id = purchase.org_id and product.id = purchase.product_id`,
    ),
    receipts: await query(
      url,
      `select customer.email, count(*)::integer as count from outgoing_emails receipt
       join customers customer on customer.org_id = receipt.org_id and customer.id = receipt.customer_id
       where receipt.status = 'sent' group by customer.email`,
    ),
  };
}
