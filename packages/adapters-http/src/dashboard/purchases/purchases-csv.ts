import { evaluatePurchase, type FoundPurchase, type Platforms, writeAmount } from '@handover/domain';
import { asText, writeCsv } from '../../streaming/write-csv.ts';
import { formatSource } from './source-words.ts';

/** Purchases as a table for accountants: exact UTC times, amounts with a point, and the UTC day, which spreadsheets read as a date. */
export function writePurchasesCsv(
  platforms: Platforms,
  rows: AsyncIterable<FoundPurchase>,
  now: Date,
): AsyncIterable<Uint8Array> {
  return writeCsv<FoundPurchase>(
    {
      date: ({ createdAt }) => createdAt.toISOString(),
      order: ({ orderNumber, orderId }) => asText(orderNumber ?? orderId ?? ''),
      customerName: ({ customerName }) => asText(customerName),
      customerEmail: ({ customerEmail }) => asText(customerEmail),
      product: ({ productName }) => asText(productName),
      source: ({ source }) => asText(formatSource(platforms, source)),
      status: (purchase) => evaluatePurchase(purchase, now),
      amount: ({ amount, currency }) => writeAmount(amount, currency),
      currency: ({ currency }) => asText(currency ?? ''),
      paymentMethod: (purchase) => asText(formatPayment(platforms, purchase)),
      purchaseId: ({ id }) => id,
      day: ({ createdAt }) => createdAt.toISOString().slice(0, 10),
    },
    rows,
  );
}

/** An order's payment method is its platform, which people know by its vendor. */
function formatPayment(platforms: Platforms, { paymentMethod, source }: FoundPurchase): string {
  return paymentMethod === source ? formatSource(platforms, source) : paymentMethod;
}
