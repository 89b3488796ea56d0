import { Buffer } from 'node:buffer';
import { startStream } from '../streaming/start-stream.ts';
import type { Answer } from './dashboard-route.ts';

/** A table to download. Its first rows are read before this resolves, so that a failure until then is a page. */
export async function csvAnswer(name: string, csv: AsyncIterable<Uint8Array>): Promise<Answer> {
  const content = await startStream(markAsUtf8(csv));
  return { kind: 'file', name, contentType: 'text/csv; charset=utf-8', content };
}

/**
 * Excel reads a file as UTF-8 only if it begins with this mark: without it, “Zoë” is “ZoÃ«”. Programs, which
 * use the API, get none.
 */
async function* markAsUtf8(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield Buffer.from([0xef, 0xbb, 0xbf]);
  yield* content;
}
