import { Buffer } from 'node:buffer';
import { startStream } from '../streaming/start-stream.ts';
import { type CsvFormat, WITH_COMMAS, WITH_SEMICOLONS } from '../streaming/write-csv.ts';
import type { Answer } from './dashboard-route.ts';

/** A table to download. Its first rows are read before this resolves, so that a failure until then is a page. */
export async function csvAnswer(name: string, csv: AsyncIterable<Uint8Array>): Promise<Answer> {
  const content = await startStream(markAsUtf8(csv));
  return { kind: 'file', name, contentType: 'text/csv; charset=utf-8', content };
}

/** `separator=semicolon` in the address of a table. */
export function readCsvFormat(query: URLSearchParams): CsvFormat {
  return query.get('separator') === 'semicolon' ? WITH_SEMICOLONS : WITH_COMMAS;
}

/** The address of the same table with semicolons. */
export function withSemicolons(address: string): string {
  const joint = address.endsWith('?') ? '' : address.includes('?') ? '&' : '?';
  return `${address}${joint}separator=semicolon`;
}

/**
 * Excel reads a file as UTF-8 only if it begins with this mark: without it, “Zoë” is “ZoÃ«”. Programs, which
 * use the API, get none.
 */
async function* markAsUtf8(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield Buffer.from([0xef, 0xbb, 0xbf]);
  yield* content;
}
