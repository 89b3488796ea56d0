import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { dial, listen, untilSteady } from './over-the-wire.ts';
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

test('opens one file at a time for requests that came at once on one connection', async () => {
  const sha256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
  const files = [{ name: 'pads.zip', size: 1e9, sha256 }];
  let opened = 0;
  let closed = 0;
  const sale = await sellPads(
    (page) => ({ ...page, version: { label: '1.0', files } }),
    (ports) => ({ files: { ...ports.files, open: async () => endless() } }),
  );
  const request = [`GET /d/${sale.token}/files/1.0/pads.zip HTTP/1.1`, 'Host: x'];
  const socket = await dial(await listen(sale.app), request);
  socket.pause();
  socket.write(`${request.join('\r\n')}\r\n\r\n`.repeat(19));
  await untilSteady(() => opened + socket.bytesRead);
  expect(opened).toBe(1);
  socket.destroy();
  await vi.waitUntil(() => sale.log.requests().length === 20 && closed === 1, WAIT_TIMEOUT_MS);
  expect(opened).toBe(1);

  async function* endless() {
    opened += 1;
    try {
      for (;;) yield Buffer.alloc(64 * 1024);
    } finally {
      closed += 1;
    }
  }
});
