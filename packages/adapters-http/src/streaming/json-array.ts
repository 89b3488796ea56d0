import type { FastifyReply } from 'fastify';
import { startStream } from './start-stream.ts';

const CHUNK_LENGTH = 64 * 1024;

/** Answers with the rows as a bare JSON array, whatever their number, without holding them in memory. */
export async function sendJsonArray<Row>(
  reply: FastifyReply,
  rows: AsyncIterable<Row>,
  present: (row: Row) => object,
): Promise<FastifyReply> {
  const stream = await startStream(writeArray(rows, present));
  return reply.type('application/json; charset=utf-8').send(stream);
}

/** Rows that fail midway break the connection, so that nobody takes half a list for a whole one. */
async function* writeArray<Row>(
  rows: AsyncIterable<Row>,
  present: (row: Row) => object,
): AsyncIterable<string> {
  let text = '[';
  let separator = '';
  for await (const row of rows) {
    text += separator + JSON.stringify(present(row));
    separator = ',';
    if (text.length >= CHUNK_LENGTH) {
      yield text;
      text = '';
    }
  }
  yield `${text}]`;
}
