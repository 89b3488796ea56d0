import { evaluatePurchase, type FoundPurchase, type Platforms, writeAmount } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { isoDay } from '../../pages/words.ts';
import { everyRow } from '../../streaming/every-row.ts';
import { asText, type CsvFormat, writeCsv } from '../../streaming/write-csv.ts';
import { csvAnswer, readCsvFormat } from '../csv-answer.ts';
import type { Answer, DashboardRequest } from '../dashboard-route.ts';
import { nameCsv, readDays } from '../parts/days.ts';
import { readPurchaseQuery } from './read-purchase-query.ts';
import { formatSource } from './source-words.ts';

/** What the list shows, all of it but test orders, unless they are asked for: they were not sold. */
export async function downloadPurchases(
  ports: Pick<HttpPorts, 'platforms' | 'purchases'>,
  { orgId, query: asked, now }: DashboardRequest,
): Promise<Answer> {
  const days = readDays(asked, now);
  const asksFor = readPurchaseQuery(ports, asked, days);
  const query = { ...asksFor, leavesOutTests: !asksFor.onlyTests, ofEveryCustomer: true };
  const rows = everyRow((page) => ports.purchases.search(orgId, { ...query, ...page }));
  const csv = writePurchasesCsv(ports.platforms, rows, now, readCsvFormat(asked));
  return csvAnswer(nameCsv('purchases', days, now), csv);
}

/** Purchases as a table for accountants: exact UTC times, amounts as numbers, and the UTC day, which spreadsheets read as a date. */
function writePurchasesCsv(
  platforms: Platforms,
  rows: AsyncIterable<FoundPurchase>,
  now: Date,
  format?: CsvFormat,
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
      amount: ({ amount, currency }) => ({ decimal: writeAmount(amount, currency) }),
      currency: ({ currency }) => asText(currency ?? ''),
      paymentMethod: (purchase) => asText(formatPayment(platforms, purchase)),
      purchaseId: ({ id }) => id,
      day: ({ createdAt }) => isoDay(createdAt),
      shop: ({ connectionName }) => asText(connectionName ?? ''),
      revokedAt: ({ revokedAt }) => revokedAt?.toISOString() ?? '',
      refundedAt: ({ refundedAt }) => refundedAt?.toISOString() ?? '',
    },
    rows,
    format,
  );
}

/** An order's payment method is its platform, which people know by its vendor. */
function formatPayment(platforms: Platforms, { paymentMethod, source }: FoundPurchase): string {
  return paymentMethod === source ? formatSource(platforms, source) : paymentMethod;
}
