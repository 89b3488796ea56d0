import type { ActivityOrigin } from '../model/activity.ts';
import { readAmount } from '../model/currency.ts';
import { makeLink } from '../model/download-link.ts';
import { DomainError } from '../model/errors.ts';
import { mailReceipt } from '../model/job.ts';
import type { Product } from '../model/product.ts';
import type { Customer, Purchase } from '../model/purchase.ts';
import type { NewSale } from '../model/sale.ts';
import {
  type InvalidForm,
  NOTHING,
  readAddress,
  readCurrency,
  readFields,
  readName,
} from '../model/validation.ts';
import type { Products } from '../ports/catalogue.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Purchases } from '../ports/purchases.ts';

/** The form of a sale, as typed. */
export interface SaleForm {
  /** `new`, or the id of a customer. */
  readonly customerId: string;
  /** Required if `customerId` is `new`. */
  readonly newCustomer: { readonly name: string; readonly email: string } | null;
  readonly productId: string;
  readonly amount: string;
  readonly currency: string;
  readonly paymentMethod: string;
  /** The seller's number of the order or invoice, at most 200 characters; blank counts as none. */
  readonly orderNumber?: string;
  readonly sendEmail: boolean;
}

/** Where a sale is recorded, and by whom. */
export interface SaleOrigin {
  readonly orgId: string;
  readonly source: 'api' | 'dashboard';
  /** Forms with the same key are the same sale, so that a form can be sent again. */
  readonly idempotencyKey: string | null;
  readonly by: ActivityOrigin;
}

/**
 * `linkId`: the link for the buyer. If the key was used before with the same form: the recorded purchase, its current
 * customer and its newest link.
 */
export type RecordSaleResult =
  | {
      readonly kind: 'recorded';
      readonly purchaseId: string;
      readonly customerId: string;
      readonly linkId: string;
    }
  | InvalidForm
  | { readonly kind: 'unknown-customer' }
  | { readonly kind: 'unknown-product' }
  /** A customer with the address of the new customer exists. */
  | { readonly kind: 'customer-exists'; readonly email: string }
  /** The idempotency key was used before with another form. */
  | { readonly kind: 'key-reused' };

interface SalePorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly products: Pick<Products, 'find'>;
  readonly purchases: Pick<Purchases, 'add'>;
}

/**
 * Records a sale without a webhook: customer (if new), purchase, link and, if requested, the mail, in one transaction. It
 * works for any product of the organisation, also without a live version.
 *
 * @throws DomainError `contended` if another version goes live before each try; then nothing is recorded.
 */
export async function recordSale(
  ports: SalePorts,
  origin: SaleOrigin,
  form: SaleForm,
): Promise<RecordSaleResult> {
  const read = readForm(form);
  if (read.kind === 'invalid') return read;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const product = await ports.products.find(origin.orgId, read.productId);
    if (!product) return { kind: 'unknown-product' };
    const sale = makeSaleByHand(ports, origin, read, product);
    const outcome = await ports.purchases.add(sale);
    if (outcome.kind === 'customer-exists') return { ...outcome, email: sale.customer?.email ?? '' };
    if (outcome.kind !== 'changed-meanwhile') return outcome;
  }
  throw new DomainError('contended', 'The sale could not be recorded: the live version kept changing.');
}

/** Each failed try means that another version has gone live, so this many in a row are a fault. */
const TRIES = 10;

/** The values of a form, normalized so that two spellings of one form are equal. */
interface ReadForm {
  readonly kind: 'valid';
  /** Null for a new customer. */
  readonly customerId: string | null;
  readonly productId: string;
  readonly sendEmail: boolean;
  readonly customer: { readonly name: string; readonly email: string } | null;
  readonly amount: string;
  readonly currency: string;
  readonly paymentMethod: string;
  readonly orderNumber: string | null;
}

function readForm(form: SaleForm): ReadForm | InvalidForm {
  const isNew = form.customerId.trim() === 'new';
  const currency = form.currency.trim().toUpperCase();
  const read = readFields({
    name: isNew ? readName('newCustomer.name', form.newCustomer?.name ?? '') : NOTHING,
    email: isNew ? readAddress('newCustomer.email', form.newCustomer?.email ?? '') : NOTHING,
    currency: readCurrency('currency', currency),
    amount: readAmountField(form.amount, currency),
    paymentMethod: readName('paymentMethod', form.paymentMethod),
    orderNumber: form.orderNumber?.trim() ? readName('orderNumber', form.orderNumber) : NOTHING,
  });
  if (read.kind === 'invalid') return read;
  const { name, email, ...values } = read.value;
  return {
    kind: 'valid',
    customerId: isNew ? null : form.customerId.trim(),
    productId: form.productId.trim(),
    sendEmail: form.sendEmail,
    customer: name !== null && email !== null ? { name, email } : null,
    ...values,
  };
}

function readAmountField(text: string, currency: string) {
  const amount = readAmount(text, currency);
  return amount.kind === 'invalid'
    ? ({ ...amount, field: 'amount' } as const)
    : ({ kind: 'valid', value: amount.amount } as const);
}

function makeSaleByHand(
  { clock, ids }: SalePorts,
  { orgId, source, idempotencyKey, by }: SaleOrigin,
  read: ReadForm,
  { name: productName, activeVersionId: versionId }: Pick<Product, 'name' | 'activeVersionId'>,
): NewSale {
  const { customer, productId, amount, currency, paymentMethod, orderNumber } = read;
  const now = clock.now();
  const newCustomer: Customer | null = customer && { id: ids.next(), orgId, ...customer, createdAt: now };
  const customerId = newCustomer?.id ?? read.customerId ?? '';
  const receipt = read.sendEmail
    ? { id: ids.next(), orgId, customerId, language: null, createdAt: now }
    : null;
  const purchase: Purchase = {
    id: ids.next(),
    orgId,
    customerId,
    productId,
    versionId,
    amount,
    currency,
    paymentMethod,
    source,
    connectionId: null,
    orderId: null,
    orderNumber,
    receiptId: receipt?.id ?? null,
    createdAt: now,
  };
  return {
    orgId,
    customer: newCustomer,
    purchase,
    link: makeLink({ id: ids.next(), orgId, purchaseId: purchase.id }, now),
    receipt,
    activity: {
      id: ids.next(),
      at: now,
      kind: 'sale-recorded',
      subjectId: purchase.id,
      summary: `Sale recorded: ${productName} for ${amount} ${currency}.`,
      ...by,
    },
    jobs: receipt ? [mailReceipt(orgId, receipt.id, now)] : [],
    idempotency: idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: fingerprint(read) },
  };
}

/**
 * Identifies a form, for comparison only. Without an order number it equals that of versions without this field, so that a
 * form that is sent again during an upgrade is the same sale.
 */
function fingerprint({ kind: _, orderNumber, ...read }: ReadForm): string {
  const entries = Object.entries({ ...read, ...(orderNumber !== null && { orderNumber }) });
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
