import { evaluatePurchase, type FoundPurchase, type Platforms, writeAmount } from '@handover/domain';
import { asText, writeCsv } from '../../streaming/write-csv.ts';
import { formatSource } from './source-words.ts';

const COLUMNS = [
  'date',
  'order',
  'customerName',
  'customerEmail',
  'product',
  'source',
  'status',
  'amount',
  'currency',
  'paymentMethod',
  'purchaseId',
  'day',
] as const;

/** Purchases as a table for accountants: exact UTC times, amounts with a point, and the UTC day, which spreadsheets read as a date. */
export function writePurchasesCsv(
  platforms: Platforms,
  rows: AsyncIterable<FoundPurchase>,
  now: Date,
): AsyncIterable<Uint8Array> {
  return writeCsv(COLUMNS, rows, (row) => ({
    date: row.createdAt.toISOString(),
    order: asText(row.orderNumber ?? row.orderId ?? ''),
    customerName: asText(row.customerName),
    customerEmail: asText(row.customerEmail),
    product: asText(row.productName),
    source: asText(formatSource(platforms, row.source)),
    status: evaluatePurchase(row, now),
    amount: writeAmount(row.amount, row.currency),
    currency: asText(row.currency ?? ''),
    paymentMethod: asText(formatPayment(platforms, row)),
    purchaseId: row.id,
    day: row.createdAt.toISOString().slice(0, 10),
  }));
}

/** An order's payment method is its platform, which people know by its vendor. */
function formatPayment(platforms: Platforms, { paymentMethod, source }: FoundPurchase): string {
  return paymentMethod === source ? formatSource(platforms, source) : paymentMethod;
}
