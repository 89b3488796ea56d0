import { Buffer } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import type { DownloadSessionRow } from '@handover/domain';
import { format } from 'fast-csv';

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

type Cells = Readonly<Record<(typeof DOWNLOAD_COLUMNS)[number], string>>;

/** Writes the rows as CSV (RFC 4180) and applies backpressure. */
export function writeDownloadsCsv(rows: AsyncIterable<DownloadSessionRow>): AsyncIterable<Uint8Array> {
  const csv = format({
    headers: [...DOWNLOAD_COLUMNS],
    alwaysWriteHeaders: true,
    rowDelimiter: '\r\n',
    includeEndRowDelimiter: true,
  });
  // Reading the CSV reports an error of the rows.
  pipeline(Readable.from(toCells(rows)), csv, () => undefined);
  return gather(csv);
}

const CHUNK_LENGTH = 64 * 1024;

/** fast-csv writes one chunk per row. Unbuffered, each would cost a write to the socket and an HTTP chunk. */
async function* gather(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    gathered.push(chunk);
    length += chunk.length;
    if (length < CHUNK_LENGTH) continue;
    yield Buffer.concat(gathered);
    gathered = [];
    length = 0;
  }
  yield Buffer.concat(gathered);
}

async function* toCells(rows: AsyncIterable<DownloadSessionRow>): AsyncIterable<Cells> {
  for await (const row of rows) yield presentSession(row);
}

function presentSession(row: DownloadSessionRow): Cells {
  return {
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
  };
}

/**
 * Spreadsheets run a cell as a formula when it begins with one of these characters, some of them after
 * blanks or in their full-width form. A leading apostrophe makes the cell text.
 */
function asText(text: string): string {
  // Remove NUL first: the writer drops it, and the character after it would then begin the cell.
  const cell = text.replaceAll('\0', '');
  return /^[\s\p{C}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(cell) ? `'${cell}` : cell;
}
