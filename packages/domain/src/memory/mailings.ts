import type { DownloadLink } from '../model/download-link.ts';
import type { Mailing, NewMailing } from '../model/mailing.ts';
import type { Purchase } from '../model/purchase.ts';
import type { Mailings } from '../ports/mails.ts';
import type { Customers } from '../ports/purchases.ts';
import { eraseCustomer } from './erase-customer.ts';
import { freshLink, freshReceipt } from './fresh-rows.ts';
import {
  findCustomer,
  isRevoked,
  linksOf,
  type Memory,
  moveRevision,
  newestLinkOf,
  purchasesOf,
  queueEmail,
  queueJobs,
} from './memory.ts';
import { wasRevokedWith } from './purchase-record.ts';
import { showReceipt } from './receipts.ts';

export function createInMemoryCustomers(memory: Memory): Customers {
  return {
    find: async (orgId, customerId) => {
      const customer = memory.customers.get(customerId);
      return customer?.orgId === orgId ? customer : null;
    },
    findByEmail: async (orgId, email) => findCustomer(memory, orgId, email) ?? null,
    erase: async (orgId, erasure) => eraseCustomer(memory, orgId, erasure),
  };
}

export function createInMemoryMailings(memory: Memory): Mailings {
  return {
    find: async (orgId, purchaseId) => findMailing(memory, orgId, purchaseId),
    findAll: async (orgId, purchaseIds) => {
      const found = purchaseIds.flatMap((id) => findMailing(memory, orgId, id) ?? []);
      const unique = new Map(found.map((mailing) => [mailing.purchases[0]?.id ?? '', mailing]));
      return [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, mailing]) => mailing);
    },
    showReceipt: async (orgId, purchaseId) => showReceipt(memory, orgId, purchaseId),
    retryNow: async (orgId, receiptId, entry) => {
      const now = entry.at;
      const receipt = memory.emails.get(receiptId);
      if (receipt?.orgId !== orgId || receipt.status !== 'pending') return 'changed-meanwhile';
      if (receipt.nextTryAt <= now) return 'due';
      memory.activity.set(entry.id, { ...entry, orgId });
      memory.emails.set(receiptId, { ...receipt, attempts: 0, pendingSince: now, nextTryAt: now });
      queueEmail(memory, receipt, now);
      return 'queued';
    },
    // Nothing awaits between the checks and the changes, so all of it is applied in one step.
    renew: async (mailings) => renewAll(memory, mailings),
  };
}

/** Renews all mailings, which are of one organisation, or none. */
function renewAll(memory: Memory, mailings: readonly NewMailing[]): 'queued' | 'changed-meanwhile' {
  if (!mailings.every((mailing) => holds(memory, mailing))) return 'changed-meanwhile';
  for (const mailing of mailings) apply(memory, mailing);
  const [mailing] = mailings;
  if (mailing) moveRevision(memory, mailing.orgId);
  return 'queued';
}

function findMailing(memory: Memory, orgId: string, purchaseId: string): Mailing | null {
  const purchase = memory.purchases.get(purchaseId);
  const customer = purchase?.orgId === orgId ? memory.customers.get(purchase.customerId) : undefined;
  if (!purchase || !customer) return null;
  const receipt = purchase.receiptId === null ? undefined : memory.emails.get(purchase.receiptId);
  const purchases = receipt ? purchasesOf(memory, receipt.id) : [purchase];
  return {
    customer: { id: customer.id, email: customer.email, name: customer.name },
    receipt: receipt
      ? { id: receipt.id, status: receipt.status, language: receipt.language, answer: receipt.lastAnswer }
      : null,
    purchases: purchases
      .map((one) => describePurchase(memory, one))
      .sort((one, other) => (one.id < other.id ? -1 : 1)),
  };
}

function describePurchase(memory: Memory, { id, orderNumber, productId }: Purchase) {
  const productName = memory.products.get(productId)?.name ?? '';
  return { id, orderNumber, productName, revoked: isRevoked(memory, id) };
}

function holds(memory: Memory, { orgId, customer, expectedVersions }: NewMailing): boolean {
  const [first] = expectedVersions.purchases;
  const now = first ? findMailing(memory, orgId, first.id) : null;
  if (JSON.stringify(now) !== JSON.stringify(expectedVersions)) return false;
  return !customer || !findCustomer(memory, orgId, customer.email);
}

function apply(memory: Memory, { expectedVersions, receipt, customer, links, ...mailing }: NewMailing): void {
  const former = expectedVersions.receipt && memory.emails.get(expectedVersions.receipt.id);
  if (former?.status === 'pending') memory.emails.set(former.id, { ...former, status: 'refused' });
  if (customer) memory.customers.set(customer.id, customer);
  memory.emails.set(receipt.id, freshReceipt(receipt));
  for (const link of links) addLink(memory, link, expectedVersions);
  for (const { id } of expectedVersions.purchases) {
    const purchase = memory.purchases.get(id);
    if (purchase) {
      const moved = { ...purchase, customerId: receipt.customerId, receiptId: receipt.id };
      memory.purchases.set(id, moved);
    }
    const link = links.find(({ purchaseId }) => purchaseId === id);
    if (mailing.revokesFormerLinks && link)
      replaceLinks(memory, link.id, receipt, expectedVersions.customer.id);
  }
  waitForReceipt(memory, mailing.orgId, new Set(expectedVersions.purchases.map(({ id }) => id)));
  memory.activity.set(mailing.activity.id, { ...mailing.activity, orgId: mailing.orgId });
  queueJobs(memory, mailing.jobs);
}

/**
 * Ends the former links of a purchase for good. If the purchase is revoked, the new link has its revocation instead of them,
 * so that restoring the purchase restores only that one.
 */
function replaceLinks(
  memory: Memory,
  linkId: string,
  receipt: NewMailing['receipt'],
  formerCustomerId: string,
): void {
  const made = memory.links.get(linkId);
  if (!made) return;
  const movedFrom = receipt.customerId === formerCustomerId ? null : formerCustomerId;
  for (const link of linksOf(memory, made.purchaseId)) {
    if (link.id === linkId) continue;
    const revoked = { revokedAt: link.revokedAt ?? receipt.createdAt };
    const replaced = { revokedAt: receipt.createdAt, revocationId: null };
    const end = wasRevokedWith(link, made) ? replaced : revoked;
    memory.links.set(link.id, { ...link, ...end, customerId: link.customerId ?? movedFrom });
  }
}

/** The new link of a revoked purchase gets the revocation of the former one. */
function addLink(memory: Memory, link: DownloadLink, { purchases }: Mailing): void {
  const isOfRevoked = purchases.some(({ id, revoked }) => revoked && id === link.purchaseId);
  const former = newestLinkOf(memory, link.purchaseId);
  const revoked = { revokedAt: former?.revokedAt ?? null, revocationId: former?.revocationId ?? null };
  memory.links.set(link.id, { ...freshLink(link), ...(isOfRevoked && revoked) });
}

/** An entry that names a purchase can only have the status `error` because of its receipt. */
function waitForReceipt(memory: Memory, orgId: string, purchaseIds: ReadonlySet<string>): void {
  for (const delivery of memory.deliveries.values()) {
    const names = delivery.lines.some(({ purchaseId }) => purchaseId !== null && purchaseIds.has(purchaseId));
    if (delivery.orgId !== orgId || delivery.status !== 'error' || !names) continue;
    memory.deliveries.set(delivery.id, { ...delivery, status: 'pending', reason: null });
  }
}
