import { type Job, normalizeEmail } from '@handover/domain';
import type { Memory } from '@handover/domain/memory';
import { sendsEmail } from '@handover/testkit';
import { expect } from 'vitest';
import type { DeliveryRow, EmailRow } from '../../src/memory/rows.ts';
import { nameSale, type World } from './world.ts';

/**
 * What holds whenever nothing is under way, whatever happened before:
 *
 * - The purchases are exactly those that were due (see `World.due`), each once: one for every connection, order id and
 *   product that could be delivered at a moment when that order was decided.
 * - A customer, a link, a receipt and an activity exist for purchases only: one customer for each normalized address, one
 *   link for each purchase, one receipt and activity for each set that was bought at once.
 * - A receipt is `sent`, with a mail that the server accepted; or `pending`, with a job that will send it; or `refused`,
 *   and then an entry of its order is an error or held, whatever its SKUs have come to stand for since.
 * - An entry that is not decided has its job, and so has one that was held for a subscription which lasts again. None is
 *   decided more often than someone asked for it: by sending, redelivering or releasing it, or by delivering
 *   another entry of its order. One that is pending waits for a receipt that is pending; a success has all
 *   of its receipts sent; a held one has a line that is held, or waits for the subscription; an ignored one has only lines that are not ours.
 */
export function expectRules(world: World): void {
  const jobs = [...world.memory.jobs.values()];
  expectPurchases(world);
  for (const receipt of listReceipts(world.memory)) expectReceipt(world, receipt, jobs);
  for (const entry of world.memory.deliveries.values()) {
    expectJob(world, entry, jobs);
    expectStatus(world, entry);
  }
}

function expectPurchases({ memory, due }: World): void {
  const purchases = [...memory.purchases.values()];
  const sales = purchases.map(nameSale);
  same(sales.length, new Set(sales).size, 'no purchase twice');
  same([...sales].sort().join('\n'), [...due].sort().join('\n'), 'the purchases that were due');
  same(memory.links.size, purchases.length, 'a link for each purchase');
  same(
    new Set([...memory.links.values()].map(({ purchaseId }) => purchaseId)).size,
    purchases.length,
    'its own',
  );
  const buyers = new Set(purchases.map(({ customerId }) => customerId));
  same(
    [...memory.customers.keys()].sort().join(),
    [...buyers].sort().join(),
    'no customer who bought nothing',
  );
  const addresses = [...memory.customers.values()].map(({ email }) => normalizeEmail(email));
  same(new Set(addresses).size, addresses.length, 'one customer for each address');
  const receipts = new Set(purchases.map(({ receiptId }) => receiptId));
  const known = listReceipts(memory).map(({ id }) => id);
  same(known.sort().join(), [...receipts].sort().join(), 'each purchase on one receipt');
  same(memory.activity.size, known.length, 'an activity for each receipt');
}

function listReceipts({ emails }: Memory): readonly EmailRow[] {
  return [...emails.values()].filter(({ kind }) => kind === 'receipt');
}

function expectReceipt(world: World, receipt: EmailRow, jobs: readonly Job[]): void {
  const purchases = [...world.memory.purchases.values()].filter(({ receiptId }) => receiptId === receipt.id);
  const orders = new Set(purchases.map(({ connectionId, orderId }) => `${connectionId} ${orderId}`));
  same(orders.size, 1, 'a receipt is about one order');
  same(
    purchases.every(({ customerId }) => customerId === receipt.customerId),
    true,
    'and for one customer',
  );
  const accepted = world.mailings.filter(
    ({ mail, answer }) => mail.mailId === receipt.id && answer.kind === 'accepted',
  );
  const customer = world.memory.customers.get(receipt.customerId ?? '');
  for (const { mail } of accepted) {
    same(mail.to.email, customer?.email, 'the buyer gets the mail');
    const links = [...world.memory.links.values()]
      .filter(({ purchaseId }) => purchases.some(({ id }) => id === purchaseId))
      .map(({ id }) => world.tokens.url(world.orgId, id));
    same(
      mail.items
        .map(({ downloadUrl }) => downloadUrl)
        .sort()
        .join(),
      links.sort().join(),
      'with every link',
    );
  }
  if (!world.interrupted.has(receipt.id)) {
    same(accepted.length, receipt.status === 'sent' ? 1 : 0, 'a receipt is sent once, and only then sent');
  }
  if (receipt.status === 'sent') same(accepted.length > 0, true, 'sent means accepted');
  if (receipt.status === 'pending') {
    const job = jobs.some((job) => sendsEmail('receipt')(job) && job.emailId === receipt.id);
    same(job, true, 'a pending receipt has its job');
  }
  if (receipt.status === 'refused') {
    const shown = [...world.memory.deliveries.values()]
      .filter(({ connectionId, orderId }) => orders.has(`${connectionId} ${orderId}`))
      .some(({ status }) => status === 'error' || status === 'held');
    same(shown, true, 'a refused receipt shows in the log');
  }
}

function expectJob({ memory, orgId, asked }: World, entry: DeliveryRow, jobs: readonly Job[]): void {
  const expiresAt = memory.organisations.get(orgId)?.subscriptionExpiresAt ?? null;
  const released = entry.heldFor === 'subscription' && expiresAt === null;
  const release = memory.releases.get(`${orgId} subscription`);
  const isToCome = release !== undefined && release.after < entry.id;
  if (entry.decidedAt === null || released) {
    const job = jobs.some(
      (job) =>
        (job.kind === 'fulfil-delivery' && job.deliveryId === entry.id && job.attempts === entry.attempts) ||
        (job.kind === 'release-entries' && released && isToCome),
    );
    same(job, true, 'what is still to be decided has its job');
  }
  same(entry.attempts <= (asked.get(entry.id) ?? 0), true, 'nothing is decided unasked');
}

function expectStatus({ memory }: World, entry: DeliveryRow): void {
  if (entry.decidedAt === null) {
    same(entry.status, 'pending', 'what is not decided is pending');
    return;
  }
  const outcomes = entry.lines.map(({ outcome }) => outcome);
  const statuses = entry.lines.flatMap(({ purchaseId }) => {
    const receiptId = purchaseId && memory.purchases.get(purchaseId)?.receiptId;
    return receiptId ? [memory.emails.get(receiptId)?.status] : [];
  });
  const delivered = outcomes.some((outcome) => outcome === 'delivered' || outcome === 'already-delivered');
  same(delivered, statuses.length > 0, 'what was delivered has a receipt');
  const held = entry.heldFor === 'subscription' || outcomes.includes('held');
  same(entry.status === 'held', held, 'held is what has a line that is held, or waits for the subscription');
  if (entry.status === 'pending') same(statuses.includes('pending'), true, 'pending waits for a receipt');
  if (entry.status === 'success') {
    same(delivered && statuses.every((status) => status === 'sent'), true, 'success has all receipts sent');
  }
  if (entry.status === 'ignored') {
    same(new Set(outcomes).size === 1 && outcomes[0] === 'not-ours', true, 'ignored is nothing of ours');
  }
  if (entry.status === 'error' || entry.status === 'held') {
    same(entry.reason !== null, true, 'what went wrong has a reason');
  }
}

/** By far quicker than an assertion of its own for each of millions of facts. */
function same<Value>(found: Value, wanted: Value, rule: string): void {
  if (found !== wanted) expect({ rule, found }).toEqual({ rule, found: wanted });
}
