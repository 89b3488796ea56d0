import {
  AUTOMATIC,
  type ClaimEnd,
  type EmailClaim,
  type EmailKind,
  fulfilOrder,
  type Order,
  type Plan,
  type PurchaseQuery,
  recordSale,
  type SaleForm,
  type SentBytes,
  updateProduct,
} from '@handover/domain';
import { claimEmail, claimIdOf, type EmailJob, sendsEmail } from '../complete-emails.ts';
import { BY_JANA, makeLine, makeOrder, recordOrder } from '../samples.ts';
import type { MailShop, OpenedShop } from './harness.ts';

/** Records a sale of the sample product by hand. */
export function record(opened: OpenedShop, changes: Partial<SaleForm>, idempotencyKey: string | null = null) {
  const { shop } = opened;
  const origin = { orgId: shop.orgId, source: 'api', idempotencyKey, by: BY_JANA } as const;
  const form: SaleForm = {
    customerId: 'new',
    newCustomer: { name: 'Ana Lima', email: 'ana@example.com' },
    productId: shop.product.id,
    amount: '49.00',
    currency: 'EUR',
    paymentMethod: 'custom',
    sendEmail: false,
    ...changes,
  };
  return recordSale(opened, origin, form);
}

export async function sell(opened: OpenedShop, changes: Partial<SaleForm> = {}) {
  const result = await record(opened, changes);
  if (result.kind !== 'recorded') throw new Error(`The sample sale: ${result.kind}`);
  return result;
}

/** Records an order and decides it, as its request does. */
export async function fulfil(
  opened: MailShop,
  order: Order,
  recorded: { readonly isTest?: boolean } = {},
): Promise<Plan> {
  const { id } = await recordOrder(opened, order, recorded);
  return fulfilOrder(opened, order, { id, attempts: 0 });
}

/** Sells the sample product, or that of the changes, by an order. Ids of what was not sold are ''. */
export async function sellByOrder(
  opened: MailShop,
  changes: Partial<Order> = {},
  recorded: { readonly isTest?: boolean } = {},
) {
  const plan = await fulfil(opened, makeOrder(opened.shop, changes), recorded);
  return {
    plan,
    deliveryId: plan.delivery.id,
    receiptId: plan.receipt?.id ?? '',
    purchaseId: plan.purchases[0]?.id ?? '',
    linkId: plan.links[0]?.id ?? '',
  };
}

export function makeLines(...skus: readonly string[]): Order['lines'] {
  return skus.map((sku) => makeLine(sku));
}

/** Runs an entry again, as its job does. */
export async function fulfilAgain(opened: MailShop, order: Order, id: string): Promise<Plan> {
  const stored = await opened.deliveries.find(order.orgId, id);
  return fulfilOrder(opened, order, { id, attempts: stored?.attempts ?? 0 });
}

export function setStatus(
  opened: OpenedShop,
  status: 'draft' | 'published',
  productId = opened.shop.product.id,
) {
  return updateProduct(opened, opened.shop.orgId, productId, { status });
}

/** The queued jobs that send e-mails of that kind. */
export async function listEmailJobs(opened: MailShop, kind: EmailKind): Promise<readonly EmailJob[]> {
  return (await opened.queuedJobs()).filter(sendsEmail(kind));
}

/** Claims an e-mail of the shop now. */
export function claimNow(opened: MailShop, emailId: string): Promise<EmailClaim> {
  return claimEmail(opened, opened.shop.orgId, emailId, opened.clock.now());
}

const PUT_OFF_MS = 60 * 60 * 1000;

/** Records the outcome of a claimed e-mail. `try-again` means in an hour. */
export function completeClaimed(
  { outgoingEmails, shop, clock }: MailShop,
  emailId: string,
  claimId: string,
  kind: 'sent' | 'refused' | 'try-again',
): Promise<ClaimEnd> {
  const at = clock.now();
  const nextTryAt = new Date(at.getTime() + PUT_OFF_MS);
  const outcome = { kind, at, answer: '2.0.0', reason: 'No such box.', nextTryAt };
  return outgoingEmails.complete(shop.orgId, emailId, claimId, outcome);
}

export async function completeNow(
  opened: MailShop,
  emailId: string,
  kind: 'sent' | 'refused' | 'try-again',
): Promise<ClaimEnd> {
  return completeClaimed(opened, emailId, claimIdOf(await claimNow(opened, emailId)), kind);
}

/** Records that the first bytes of a file were sent. */
export async function beginDownload(
  { sessions, shop, clock, ids }: OpenedShop,
  linkId: string,
  joining: string | null = null,
): Promise<string> {
  const request = { sessionId: ids.next(), joining, client: 'browser', at: clock.now() } as const;
  return (await sessions.begin(shop.orgId, linkId, request)) ?? '';
}

/** Records that bytes of a file were sent. */
export function sendBytes(
  { sessions, shop, clock }: OpenedShop,
  sessionId: string,
  ranges: readonly (readonly [number, number])[],
  file: Partial<SentBytes> = {},
): Promise<void> {
  const sent = { version: '1.0', name: 'pads.zip', size: 10, ...file };
  const united = ranges.map(([start, end]) => ({ start, end }));
  return sessions.addSent(shop.orgId, sessionId, { ...sent, ranges: united }, clock.now());
}

/** Records that the client reported a complete download. */
export function completeDownload(
  { sessions, shop, clock, ids }: OpenedShop,
  linkId: string,
  sessionId: string | null,
) {
  const at = clock.now();
  const entry = { id: ids.next(), at, kind: 'download-completed', subjectId: linkId } as const;
  const activity = { ...entry, summary: 'Pads 1.0 downloaded by Ana Lima.', ...AUTOMATIC };
  return sessions.complete(shop.orgId, linkId, { sessionId, at, activity });
}

/** The first purchases that match, newest first. */
export function searchPurchases({ purchases, shop }: OpenedShop, query: Partial<PurchaseQuery> = {}) {
  return purchases.search(shop.orgId, { ...EVERY_PURCHASE, before: null, limit: 50, ...query });
}

export const EVERY_PURCHASE = { text: '', productId: null, customerId: null, source: null, receipt: null };

/** The number of entries of the activity log of that kind. */
export async function countActivity({ activity, shop }: OpenedShop, kind: string): Promise<number> {
  const entries = await activity.list(shop.orgId, { subjectId: null, before: null, limit: 100 });
  return entries.filter((entry) => entry.kind === kind).length;
}
