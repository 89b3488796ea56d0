import { Buffer } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import type { DownloadSessionRow } from '@handover/domain';
import { format } from 'fast-csv';

/** The columns of the downloads report, in their order. */
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

/** Writes the rows as CSV (RFC 4180), no faster than they are read. */
export function writeDownloadsCsv(rows: AsyncIterable<DownloadSessionRow>): AsyncIterable<Uint8Array> {
  const csv = format({
    headers: [...DOWNLOAD_COLUMNS],
    alwaysWriteHeaders: true,
    rowDelimiter: '\r\n',
    includeEndRowDelimiter: true,
  });
  // Whoever reads the CSV gets the error of the rows from it.
  pipeline(Readable.from(toCells(rows)), csv, () => undefined);
  return gather(csv);
}

const CHUNK_LENGTH = 64 * 1024;

/** fast-csv makes a chunk of each row. Sent as they are, each would be a write to the socket and a chunk of the answer. */
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
 * Spreadsheets run a cell as a formula when it begins with one of these signs, some of them after blanks or in their
 * wide form. An apostrophe before it makes it the text that it is.
 */
function asText(text: string): string {
  // NUL goes first: the writer leaves it out, and what stood behind it would begin the cell.
  const cell = text.replaceAll('\0', '');
  return /^[\s\p{C}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(cell) ? `'${cell}` : cell;
}
