import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * How long a rejected body may continue: on a connection that stays open, and on one that closes with the
 * response.
 */
const WAIT_TIMEOUT = { openMs: 30_000, closingMs: 5_000 };

/**
 * Drains the rest of a rejected body, so that the client can read the response. Most clients read no
 * response while they send: if the connection closes under them, they report only that. So the response is
 * sent at once and the connection stays open while the client keeps it. Where the connection closes with
 * the response, the response waits for the rest of the body. The drained bytes are discarded.
 */
export function drainRequestBody(
  app: FastifyInstance,
  isDraining: () => boolean,
  waitTimeout = WAIT_TIMEOUT,
): void {
  app.addHook('onSend', async ({ raw }, reply) => {
    if (isWhole(raw)) return;
    discardRest(raw);
    // A sender that was too slow is not drained.
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

/** The body is complete, or no more of it will come. An injected request never becomes `complete`. */
function isWhole({ complete, readableEnded, destroyed }: IncomingMessage): boolean {
  return complete || readableEnded || destroyed;
}

/**
 * Removes the previous readers, which have failed and might buffer the rest. A new listener is needed: a
 * flowing body without one stands still.
 */
function discardRest(body: IncomingMessage): void {
  body.unpipe();
  body.removeAllListeners('readable').removeAllListeners('data');
  body.on('data', () => undefined).resume();
}

/** Whether the body ended in time. */
async function untilOver(body: IncomingMessage, limitMs: number): Promise<boolean> {
  const over = new AbortController();
  const end = () => over.abort();
  body.once('end', end).once('close', end);
  await sleep(limitMs, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
  body.off('end', end).off('close', end);
  return over.signal.aborted;
}
