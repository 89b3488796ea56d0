import type { PurchaseRow, PurchaseSource } from './purchase.ts';
import type { ReceiptStatus } from './receipt.ts';

/** Which purchases an operator wants to see. */
export interface PurchaseQuery {
  /** A name, an address, an order number, a product or its SKU; blank for all. See `searchWords`. */
  readonly text: string;
  readonly productId: string | null;
  readonly customerId: string | null;
  readonly source: PurchaseSource | null;
  /** Only those whose receipt stands so. */
  readonly receipt: ReceiptStatus | null;
  /** The id of the last purchase of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

/** A purchase as the dashboard lists it. */
export interface FoundPurchase extends PurchaseRow {
  readonly orderNumber: string | null;
  /** Null when no mail was asked for. */
  readonly receiptStatus: ReceiptStatus | null;
  readonly revokedAt: Date | null;
}
