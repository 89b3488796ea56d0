import type { ActivityEntry } from '../model/activity.ts';
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

/** What pages and lists read of purchases. */
export interface PurchasePages {
  /** Every purchase, newest first, without holding them in memory. */
  list(orgId: string): AsyncIterable<PurchaseRow>;
  /**
   * The same rows as `list`, each as `JSON.stringify` writes it, with `words.amount` for its amount, and with `downloadUrl` in
   * place of `linkId`. Texts of one or more rows, with commas between the rows of a text and none at its ends.
   */
  listAsJson(orgId: string, words: PurchaseWords): AsyncIterable<string>;
  /** A page of those that match, newest first. */
  search(orgId: string, query: PurchaseQuery): Promise<readonly FoundPurchase[]>;
  /**
   * What those that match add up to, but for test orders: by currency in the order of their codes, without one last.
   * A store may give up after a few seconds.
   */
  sum(orgId: string, filter: PurchaseFilter): Promise<readonly PurchaseSum[] | 'took-too-long'>;
  /**
   * The same for each product and currency: `limit` rows, those of the products with most purchases first. Of products with as
   * many, those whose name comes first in the order of its characters.
   */
  sumByProduct(
    orgId: string,
    filter: PurchaseFilter,
    limit: number,
  ): Promise<readonly ProductSum[] | 'took-too-long'>;
  count(orgId: string): Promise<number>;
  /** How many match, counted up to `max`. */
  countMatching(orgId: string, query: PurchaseFilter, max: number): Promise<number>;
  /** How many are of the product, but for test orders; more than `MAX_COUNTED` are one more than that. */
  countOfProduct(orgId: string, productId: string): Promise<number>;
  /** The id of the purchase that a sale with this idempotency key recorded; null when none did, or the key is forgotten. */
  findRecorded(orgId: string, idempotencyKey: string): Promise<string | null>;
  /** All that is known of one, seen at one moment; of each kind of fact the newest `RECORD_LIMIT`. */
  show(orgId: string, purchaseId: string): Promise<PurchaseRecord | null>;
}

/** What was sold. Orders become purchases by a plan ({@link Fulfilment}), all else here. */
export interface Purchases extends PurchasePages {
  /**
   * Withdraws every link of the purchases that these entries name as their subjects, and adds the entries of those that were
   * withdrawn now, as one; answers with these purchases. All entries have one time. While a purchase's newest link is withdrawn
   * nobody makes another: a caller that is about to waits, and then sees it. Each link keeps the action that withdrew it.
   */
  revoke(orgId: string, entries: readonly ActivityEntry[], revocationId: string): Promise<readonly string[]>;
  /**
   * Takes that back in the same way, for the links that it withdrew and no others. With a `revocationId`, only of purchases
   * that are still as that action left them, and were neither restored nor revoked again since.
   */
  restore(
    orgId: string,
    entries: readonly ActivityEntry[],
    revocationId: string | null,
  ): Promise<readonly string[]>;
  /**
   * Deletes what a test order bought, with its links, their downloads and its receipt, unless that is of another purchase
   * too, and adds the entry. The log keeps its delivery. Nothing of a purchase that no test order made is deleted.
   */
  deleteTest(orgId: string, purchaseId: string, entry: ActivityEntry): Promise<DeleteTestPurchaseResult>;
  /**
   * Applies the whole sale or none of it. Unique keys decide between two at once: one of the customer's address
   * (`customer-exists`), one of the idempotency key. `changed-meanwhile`: another version of the product is live than the one
   * that is sold, so that no version is sold whose files somebody may take away at the same moment.
   */
  add(sale: NewSale): Promise<AddSaleResult>;
}

/** How a list says what is not written in its rows as it should be read. */
export interface PurchaseWords {
  amount(amount: string, currency: string | null): string;
  downloadUrl(linkId: string): string;
}

/** Who bought: one customer for each address of an organisation. */
export interface Customers {
  find(orgId: string, customerId: string): Promise<Customer | null>;
  /** By the normalized address: two spellings of one address are one person. */
  findByEmail(orgId: string, email: string): Promise<Customer | null>;
}
