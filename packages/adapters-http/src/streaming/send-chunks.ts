import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { addLogContext } from '../requests/request-log.ts';

/**
 * Sends a body chunk by chunk and requests the next chunk only when the last one has left this process, so
 * that all chunks can share one buffer. (A pipe queues several chunks, each in its own buffer; for twenty
 * fast downloads that came to 30 MB of garbage.) The first chunk is read before anything is sent, so that a
 * failure until then can still set the status. A client that disconnects ends the reading.
 */
export async function startChunks(
  chunks: AsyncIterable<Uint8Array>,
): Promise<(reply: FastifyReply) => FastifyReply> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (reply) => {
    const answer = reply.hijack().raw;
    // Not awaited: a source that hangs must not keep the connection open.
    answer.once('close', () => iterator.return?.().catch(() => undefined));
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) answer.setHeader(name, value);
    }
    answer.writeHead(reply.statusCode);
    sendAll(answer, first, iterator).catch((error) => {
      addLogContext(reply.request, { error });
      answer.destroy();
    });
    return reply;
  };
}

async function sendAll(
  answer: ServerResponse,
  first: IteratorResult<Uint8Array>,
  iterator: AsyncIterator<Uint8Array>,
): Promise<void> {
  for (let next = first; !next.done; next = await iterator.next()) {
    if (!(await send(answer, next.value))) return;
  }
  answer.end();
}

/** Resolves with true when the bytes have left this process, with false when the client is gone. */
function send(answer: ServerResponse, chunk: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    if (answer.destroyed) return resolve(false);
    const leave = () => resolve(false);
    answer.once('close', leave);
    answer.write(chunk, (error) => {
      answer.off('close', leave);
      resolve(!error);
    });
  });
}
