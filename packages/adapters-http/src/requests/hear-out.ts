import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const PATIENCE_MS = 5_000;

/**
 * Lets a client that is refused in the middle of its body finish, for as long as `patienceMs`, before it is answered
 * and the connection closed. Most clients read no answer while they send: closed at once, they would report a broken
 * connection, and nobody would read that the body was too large. Where the connection stays open, Node does the same.
 */
export function hearOut(app: FastifyInstance, patienceMs = PATIENCE_MS): void {
  app.addHook('onSend', async ({ raw }, reply) => {
    const closes = reply.getHeader('connection') === 'close' || !reply.raw.shouldKeepAlive;
    if (closes && !raw.complete && !raw.destroyed) await discardRest(raw, patienceMs);
  });
}

async function discardRest(body: IncomingMessage, patienceMs: number): Promise<void> {
  const enough = new AbortController();
  const end = () => enough.abort();
  // Whoever read until now has given up, and might hold in memory what comes after all.
  body.unpipe();
  body.removeAllListeners('readable').removeAllListeners('data');
  body.once('end', end).once('close', end).resume();
  await sleep(patienceMs, undefined, { signal: enough.signal }).catch(() => undefined);
  body.off('end', end).off('close', end);
}
