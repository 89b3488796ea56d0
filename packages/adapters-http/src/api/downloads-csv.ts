import type { ReportedSession, ReportPeriod } from '@handover/domain';
import { isoDay } from '../pages/words.ts';
import { asText, type Columns, type CsvFormat, writeCsv } from '../streaming/write-csv.ts';

const COLUMNS: Columns<ReportedSession> = {
  sessionId: ({ id }) => id,
  startedAt: ({ startedAt }) => startedAt.toISOString(),
  lastByteAt: ({ lastByteAt }) => lastByteAt.toISOString(),
  bytes: ({ bytes }) => String(bytes),
  completedAt: ({ completedAt }) => completedAt?.toISOString() ?? '',
  purchaseId: ({ purchaseId }) => purchaseId,
  orderId: ({ orderId }) => asText(orderId ?? ''),
  productName: ({ productName }) => asText(productName),
  version: ({ version }) => asText(version ?? ''),
  customerName: ({ customerName }) => asText(customerName),
  customerEmail: ({ customerEmail }) => asText(customerEmail),
  client: ({ client }) => client ?? '',
  filesBegun: ({ filesBegun }) => String(filesBegun),
  filesWhole: ({ filesWhole }) => String(filesWhole),
  orderNumber: ({ orderNumber }) => asText(orderNumber ?? ''),
};

/** The downloads report. */
export function writeDownloadsCsv(
  rows: AsyncIterable<ReportedSession>,
  format?: CsvFormat,
): AsyncIterable<Uint8Array> {
  return writeCsv(COLUMNS, rows, format);
}

/** The name of its file: “downloads_2026-03-01_2026-03-31.csv”. */
export function nameDownloadsCsv({ from, until }: ReportPeriod): string {
  return `downloads_${isoDay(from)}_${isoDay(new Date(until.getTime() - 1))}.csv`;
}
