import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { addLogContext } from '../requests/request-log.ts';

/**
 * Sends a body chunk by chunk, and asks for the next one only when the last has left this process: so all chunks may
 * lie in the same bytes. (In a pipe several wait at once, each in bytes of its own, and those of twenty fast downloads
 * came to 30 MB of garbage.) The first is read before anything is sent: what fails until then can still get a status of
 * its own. Whoever goes away ends the reading.
 */
export async function startChunks(
  chunks: AsyncIterable<Uint8Array>,
): Promise<(reply: FastifyReply) => FastifyReply> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (reply) => {
    const answer = reply.hijack().raw;
    // Not waited for: a source that hangs must not keep the connection.
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

/** Resolves when the bytes have left this process; with false when there is nobody who takes them. */
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
