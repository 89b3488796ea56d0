import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { dial, listen } from './over-the-wire.ts';
import { type Sale, sellPads } from './sell-pads.ts';

/** Asks for the file, and leaves once `isAsked` resolves. */
async function leave(sale: Sale, isAsked: Promise<unknown>): Promise<void> {
  const socket = await dial(await listen(sale.app), [
    `GET /d/${sale.token}/files/1.0/pads.zip HTTP/1.1`,
    'Host: x',
  ]);
  await isAsked;
  socket.destroy();
  await once(socket, 'close');
}

/** A request has its line in the log once its connection is closed. */
function untilLeft(sale: () => Sale): Promise<unknown> {
  return vi.waitUntil(() => sale().log.requests().length > 0, WAIT_TIMEOUT_MS);
}

test('closes the file when the client left while its first chunk was read', async () => {
  const reading = Promise.withResolvers<void>();
  const closed = vi.fn();
  const sale: Sale = await sellPads(undefined, ({ files }) => ({
    files: { ...files, open: async () => readSlowly() },
  }));
  await leave(sale, reading.promise);
  await vi.waitUntil(() => closed.mock.calls.length > 0, WAIT_TIMEOUT_MS);

  async function* readSlowly() {
    try {
      reading.resolve();
      await untilLeft(() => sale);
      yield Buffer.from('hello');
    } finally {
      closed();
    }
  }
});

test('opens no file for a client that left while the link was looked up', async () => {
  const looking = Promise.withResolvers<void>();
  const looked = Promise.withResolvers<void>();
  const open = vi.fn();
  const sale: Sale = await sellPads(undefined, ({ files, links }) => ({
    files: { ...files, open: (...given) => open() ?? files.open(...given) },
    links: {
      ...links,
      prolong: async (...given) => {
        looking.resolve();
        await untilLeft(() => sale);
        return links.prolong(...given).finally(() => setImmediate(looked.resolve));
      },
    },
  }));
  await leave(sale, looking.promise);
  await looked.promise;
  expect(open).not.toHaveBeenCalled();
});
