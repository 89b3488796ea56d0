import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** How long a refused body may go on: on a connection that stays open, and on one that closes with the answer. */
const WAIT_TIMEOUT = { openMs: 30_000, closingMs: 5_000 };

/**
 * Lets a client that is refused in the middle of its body finish. Most clients read no answer while they send: with the
 * connection closed under them they would report just that, and nobody would read that the body was too large. So the
 * answer goes out at once and the connection stays open, as long as the client itself keeps it; where it closes all the
 * same, the answer waits for the rest of the body. What comes is discarded.
 */
export function drainRequestBody(
  app: FastifyInstance,
  isDraining: () => boolean,
  waitTimeout = WAIT_TIMEOUT,
): void {
  app.addHook('onSend', async ({ raw }, reply) => {
    if (isWhole(raw)) return;
    discardRest(raw);
    // Nobody waits for a sender who was too slow.
    if (reply.statusCode === 408) {
      reply.header('connection', 'close');
    } else if (isDraining() || !reply.raw.shouldKeepAlive) {
      await untilOver(raw, waitTimeout.closingMs);
    } else {
      reply.header('connection', 'keep-alive');
      void untilOver(raw, waitTimeout.openMs).then((isOver) => isOver || raw.destroy());
    }
  });
}

/** All of it came in, or nothing more will come. A request that came over no wire is never `complete`. */
function isWhole({ complete, readableEnded, destroyed }: IncomingMessage): boolean {
  return complete || readableEnded || destroyed;
}

/**
 * Whoever read until now has given up, and might hold in memory what comes after all. Somebody has to listen instead:
 * a body that was flowing already would stand still.
 */
function discardRest(body: IncomingMessage): void {
  body.unpipe();
  body.removeAllListeners('readable').removeAllListeners('data');
  body.on('data', () => undefined).resume();
}

/** Whether it was over in time. */
async function untilOver(body: IncomingMessage, limitMs: number): Promise<boolean> {
  const over = new AbortController();
  const end = () => over.abort();
  body.once('end', end).once('close', end);
  await sleep(limitMs, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
  body.off('end', end).off('close', end);
  return over.signal.aborted;
}
