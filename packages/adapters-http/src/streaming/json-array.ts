import type { FastifyReply } from 'fastify';
import { streamOf } from './start-stream.ts';

const CHUNK_LENGTH = 64 * 1024;

/** Streams the rows as a bare JSON array, whatever their number. */
export function sendJsonArray<Row>(
  reply: FastifyReply,
  rows: AsyncIterable<Row>,
  present: (row: Row) => object,
): Promise<FastifyReply> {
  return sendJsonTexts(reply, writeRows(rows, present));
}

async function* writeRows<Row>(
  rows: AsyncIterable<Row>,
  present: (row: Row) => object,
): AsyncIterable<string> {
  let text = '';
  for await (const row of rows) {
    text += (text === '' ? '' : ',') + JSON.stringify(present(row));
    if (text.length >= CHUNK_LENGTH) {
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}

/**
 * The methods of a list. Fastify’s own answer to HEAD would read the whole list for its length, which HTTP does not ask for:
 * https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2
 */
export const READS = ['GET', 'HEAD'];

/** Like `sendJsonArray`, for texts that each contain one or more rows, joined by commas. */
export async function sendJsonTexts(
  reply: FastifyReply,
  texts: AsyncIterable<string>,
): Promise<FastifyReply> {
  reply.type('application/json; charset=utf-8');
  if (reply.request.method === 'HEAD') return reply.send();
  const parts = frameTexts(texts);
  const first = await parts.next();
  const second = await parts.next();
  // Most lists are short, and a stream costs more than their rows.
  if (second.done) return reply.send(first.value);
  return reply.send(streamOf(parts, [first, second]));
}

/** A failure midway breaks the connection, so that a client cannot mistake half a list for the whole. */
async function* frameTexts(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let part = '[';
  for await (const text of texts) {
    if (part !== '[') yield part;
    part = part === '[' ? part + text : `,${text}`;
  }
  yield `${part}]`;
}
