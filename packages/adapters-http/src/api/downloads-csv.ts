import type { ReportedSession } from '@handover/domain';
import { asText, writeCsv } from '../streaming/write-csv.ts';

/** The columns of the downloads report, in order. */
export const DOWNLOAD_COLUMNS = [
  'sessionId',
  'startedAt',
  'lastByteAt',
  'bytes',
  'completedAt',
  'purchaseId',
  'orderId',
  'productName',
  'version',
  'customerName',
  'customerEmail',
  'client',
  'filesBegun',
  'filesWhole',
] as const;

/** Writes the rows as CSV. */
export function writeDownloadsCsv(rows: AsyncIterable<ReportedSession>): AsyncIterable<Uint8Array> {
  return writeCsv(DOWNLOAD_COLUMNS, rows, (row) => ({
    sessionId: row.id,
    startedAt: row.startedAt.toISOString(),
    lastByteAt: row.lastByteAt.toISOString(),
    bytes: String(row.bytes),
    completedAt: row.completedAt?.toISOString() ?? '',
    purchaseId: row.purchaseId,
    orderId: asText(row.orderId ?? ''),
    productName: asText(row.productName),
    version: asText(row.version ?? ''),
    customerName: asText(row.customerName),
    customerEmail: asText(row.customerEmail),
    client: row.client ?? '',
    filesBegun: String(row.filesBegun),
    filesWhole: String(row.filesWhole),
  }));
}
