import type { ActivityEntry } from '../model/activity.ts';
import type { EraseCustomerResult, Erasure } from '../model/erasure.ts';
import type {
  Customer,
  DeleteTestPurchaseResult,
  FoundPurchase,
  ProductSum,
  PurchaseFilter,
  PurchaseQuery,
  PurchaseRow,
  PurchaseSum,
} from '../model/purchase.ts';
import type { PurchaseRecord } from '../model/purchase-record.ts';
import type { AddSaleResult, NewSale } from '../model/sale.ts';

/** The reads of purchases for pages and lists. */
export interface PurchasePages {
  /** Every purchase, newest first, without holding them in memory. */
  list(orgId: string): AsyncIterable<PurchaseRow>;
  /**
   * The same rows as `list`, each as `JSON.stringify` writes it, with `words.amount` for its amount, and with
   * `downloadUrl` in place of `linkId`. Each text has one or more rows, with commas between its rows and none at its
   * ends.
   */
  listAsJson(orgId: string, words: PurchaseWords): AsyncIterable<string>;
  /** A page of matching purchases, newest first. */
  search(orgId: string, query: PurchaseQuery): Promise<readonly FoundPurchase[]>;
  /**
   * The sums of matching purchases, without test orders: by currency code, purchases without a currency last. A store may
   * give up after a few seconds.
   */
  sum(orgId: string, filter: PurchaseFilter): Promise<readonly PurchaseSum[] | 'took-too-long'>;
  /**
   * The same for each product and currency: `limit` rows, products with the most purchases first. Products with equally
   * many are sorted by the characters of their names.
   */
  sumByProduct(
    orgId: string,
    filter: PurchaseFilter,
    limit: number,
  ): Promise<readonly ProductSum[] | 'took-too-long'>;
  count(orgId: string): Promise<number>;
  /** How many match, counted up to `max`. */
  countMatching(orgId: string, query: PurchaseFilter, max: number): Promise<number>;
  /** How many purchases the product has, without test orders; counted up to `MAX_COUNTED` + 1. */
  countOfProduct(orgId: string, productId: string): Promise<number>;
  /** The id of the purchase that a sale with this idempotency key recorded; null if there is none, or the key was pruned. */
  findRecorded(orgId: string, idempotencyKey: string): Promise<string | null>;
  /** All data of a purchase, from one snapshot; the newest `RECORD_LIMIT` of each kind. */
  show(orgId: string, purchaseId: string): Promise<PurchaseRecord | null>;
}

/** Purchases. Those of orders are created by a plan ({@link Fulfilment}); everything else happens here. */
export interface Purchases extends PurchasePages {
  /**
   * Revokes every link of the purchases that are the subjects of these entries, and adds the entries of the purchases
   * that it changed, atomically. Returns these purchases. All entries have the same time. No link is created while the
   * newest link of a purchase is being revoked: a concurrent caller waits, and then sees the revocation. Each link stores
   * the id of the action that revoked it.
   */
  revoke(orgId: string, entries: readonly ActivityEntry[], revocationId: string): Promise<readonly string[]>;
  /**
   * Undoes `revoke` in the same way, only for links that were revoked by it. With a `revocationId`, only for purchases
   * that were neither restored nor revoked again since that action. The purchases of an erased buyer stay revoked.
   */
  restore(
    orgId: string,
    entries: readonly ActivityEntry[],
    revocationId: string | null,
  ): Promise<readonly string[]>;
  /**
   * Deletes the purchase of a test order with its links, their downloads and its receipt (unless another purchase shares
   * it), and adds the entry. Its delivery stays in the log. A purchase that is not of a test order is never deleted.
   */
  deleteTest(orgId: string, purchaseId: string, entry: ActivityEntry): Promise<DeleteTestPurchaseResult>;
  /**
   * Applies the whole sale or none of it. Unique keys decide between two concurrent sales: one of the customer's address
   * (`customer-exists`), one of the idempotency key. `changed-meanwhile`: the version that is sold is no longer the live
   * one. So no version is sold whose files could be removed at the same moment.
   */
  add(sale: NewSale): Promise<AddSaleResult>;
}

/** Formats the values of a list that its rows do not store in readable form. */
export interface PurchaseWords {
  amount(amount: string, currency: string | null): string;
  downloadUrl(linkId: string): string;
}

/** The customers of an organisation: one for each e-mail address. */
export interface Customers {
  find(orgId: string, customerId: string): Promise<Customer | null>;
  /** By the normalized address: two spellings of one address are one person. */
  findByEmail(orgId: string, email: string): Promise<Customer | null>;
  /**
   * Erases a customer, and those who had its purchases before their address was corrected and have none of their own: see
   * `eraseIdentity`. Their orders' entries lose the address, the notes and the stored request, also where another order came in the
   * same request. Their receipts and rejected requests are deleted. Of an erased customer, it erases what came about its orders since
   * (`erased-before`: nothing did). Adds the entry, atomically. A sale or plan that was made for the
   * customer before, and is committed afterwards, is refused (`changed-meanwhile`).
   */
  erase(orgId: string, erasure: Erasure): Promise<EraseCustomerResult>;
}
