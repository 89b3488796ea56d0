import { once } from 'node:events';
import type { HttpPorts } from '@handover/adapters-http';
import type { ReportedSession } from '@handover/domain';
import { describe, expect, test, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { dial, listen, untilSteady } from './over-the-wire.ts';
import { type Sale, sellPads } from './sell-pads.ts';

const HOUR = 60 * 60 * 1000;
const ALL_TIME = { from: new Date(0), until: new Date('2100-01-01') };

async function listSessions({ stores, shop }: Sale): Promise<readonly ReportedSession[]> {
  const rows: ReportedSession[] = [];
  for await (const row of stores.sessions.list(shop.orgId, ALL_TIME)) rows.push(row);
  return rows;
}

/** A sale of one large file, in chunks of 64 KiB, the clock moving on before each. */
function sellLarge(
  chunks: number,
  tickMs: number,
  changePorts: (ports: HttpPorts) => Partial<HttpPorts> = () => ({}),
) {
  const chunk = Buffer.alloc(64 * 1024);
  const files = [{ name: 'large.bin', size: chunk.length * chunks, sha256: 'ab'.repeat(32) }];
  const opened = Promise.withResolvers<Sale>();
  const selling = sellPads(
    (page) => ({ ...page, version: { label: '1', files } }),
    (ports) => ({
      files: {
        ...ports.files,
        open: async () =>
          (async function* () {
            const { clock } = await opened.promise;
            for (let at = 0; at < chunks; at += 1) {
              clock.advance(tickMs);
              yield chunk;
            }
          })(),
      },
      ...changePorts(ports),
    }),
  );
  selling.then(opened.resolve, opened.reject);
  return selling;
}

/** Over a real connection: only that says when bytes have gone. */
async function download({ app, token }: Sale): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${await listen(app)}/d/${token}/files/1/large.bin`);
  await answer.arrayBuffer();
}

describe('a download session', () => {
  test('starts with the first byte of a file, and counts sent bytes', async () => {
    const sale = await sellPads();
    await sale.app.inject(`/d/${sale.token}`);
    await sale.app.inject({ method: 'HEAD', url: `/d/${sale.token}/files/1.0/pads.zip` });
    await sale.app.inject(`/d/${sale.token}/files/1.0/other.zip`);
    expect(await listSessions(sale)).toEqual([]);
    await sale.app.inject(`/d/${sale.token}/files/1.0/pads.zip`);
    await vi.waitFor(
      async () => expect(await listSessions(sale)).toMatchObject([{ bytes: 5 }]),
      WAIT_TIMEOUT_MS,
    );
  });

  test('is joined by further requests of its link, and a new one starts after an hour', async () => {
    const sale = await sellPads();
    for (const pause of [0, HOUR, HOUR + 1]) {
      sale.clock.advance(pause);
      await sale.app.inject(`/d/${sale.token}/files/1.0/pads.zip`);
    }
    await vi.waitFor(
      async () => expect(await listSessions(sale)).toMatchObject([{ bytes: 10 }, { bytes: 5 }]),
      WAIT_TIMEOUT_MS,
    );
  });

  test('is not started by an expired link', async () => {
    const sale = await sellPads();
    sale.clock.advance(48 * HOUR);
    await sale.app.inject(`/d/${sale.token}/files/1.0/pads.zip`);
    expect(await listSessions(sale)).toEqual([]);
  });

  test('is saved about every second, not per chunk, and completely in the end', async () => {
    const calls: unknown[] = [];
    const sale = await sellLarge(100, 200, ({ sessions }) => ({
      sessions: {
        ...sessions,
        addSent: async (...given) => {
          calls.push(given[2].ranges);
          await sessions.addSent(...given);
        },
      },
    }));
    await download(sale);
    await vi.waitFor(async () => {
      expect(await listSessions(sale)).toMatchObject([{ bytes: 100 * 64 * 1024 }]);
    }, WAIT_TIMEOUT_MS);
    expect(calls.length).toBeGreaterThan(10);
    expect(calls.length).toBeLessThan(30);
    const [session] = await listSessions(sale);
    expect(session?.lastByteAt.getTime()).toBeGreaterThan(session?.startedAt.getTime() ?? 0);
  });

  test('keeps the sent bytes when its client disconnects', async () => {
    const sale = await sellLarge(16_384, 0);
    const socket = await dial(await listen(sale.app), [
      `GET /d/${sale.token}/files/1/large.bin HTTP/1.1`,
      'Host: x',
    ]);
    await once(socket, 'readable');
    await untilSteady(() => socket.bytesRead);
    socket.destroy();
    await vi.waitFor(async () => {
      const [session] = await listSessions(sale);
      expect(session?.bytes).toBeGreaterThan(64 * 1024);
      expect(session?.bytes).toBeLessThan(16_384 * 64 * 1024);
    }, WAIT_TIMEOUT_MS);
  });
});

describe('when the store of sessions', () => {
  const failing = { begin: async () => Promise.reject(new Error('gone')) };
  const failingToAdd = { addSent: async () => Promise.reject(new Error('gone')) };

  test.each([
    ['fails to begin one', failing],
    ['fails to add bytes', failingToAdd],
  ])('%s, the file is sent whole, and the log says so once', async (_name, broken) => {
    const sale = await sellLarge(20, 2000, ({ sessions }) => ({ sessions: { ...sessions, ...broken } }));
    const answer = await sale.app.inject(`/d/${sale.token}/files/1/large.bin`);
    expect(answer.rawPayload).toHaveLength(20 * 64 * 1024);
    const told = () => sale.log.lines.filter(({ msg }) => msg === 'download session not recorded');
    await vi.waitFor(() => expect(told()).toHaveLength(1), WAIT_TIMEOUT_MS);
    expect(told()[0]).toMatchObject({ level: 'warn', orgId: sale.shop.orgId, err: { message: 'gone' } });
    expect(sale.log.requests()).toMatchObject([{ status: 200 }]);
  });

  test('fails for a while, no bytes are missing in the end', async () => {
    let calls = 0;
    const sale = await sellLarge(20, 2000, ({ sessions }) => ({
      sessions: {
        ...sessions,
        begin: async (...given) => {
          calls += 1;
          if (calls < 3) throw new Error('gone');
          return sessions.begin(...given);
        },
      },
    }));
    await download(sale);
    await vi.waitFor(async () => {
      expect(await listSessions(sale)).toMatchObject([{ bytes: 20 * 64 * 1024 }]);
    }, WAIT_TIMEOUT_MS);
  });

  test('fails on the last save, the save is repeated', async () => {
    let calls = 0;
    const sale = await sellPads(undefined, ({ sessions }) => ({
      sessions: {
        ...sessions,
        addSent: async (...given) => {
          calls += 1;
          if (calls === 1) throw new Error('gone');
          return sessions.addSent(...given);
        },
      },
    }));
    await sale.app.inject(`/d/${sale.token}/files/1.0/pads.zip`);
    await vi.waitFor(async () => expect(await listSessions(sale)).toMatchObject([{ filesWhole: 1 }]), 10_000);
    expect(calls).toBe(2);
  });

  test('never answers, the file is sent all the same', async () => {
    const hanging = new Promise<never>(() => undefined);
    const open = Promise.withResolvers<string>();
    const sale = await sellLarge(20, 2000, ({ sessions }) => ({
      sessions: { ...sessions, begin: () => Promise.race([hanging, open.promise]) },
    }));
    const answer = await sale.app.inject(`/d/${sale.token}/files/1/large.bin`);
    expect(answer.rawPayload).toHaveLength(20 * 64 * 1024);
    open.resolve('session');
  });

  test('is slow, closing waits for the last save', async () => {
    const sale = await sellPads(undefined, ({ sessions }) => ({
      sessions: {
        ...sessions,
        addSent: async (...given) => {
          await new Promise((resolve) => setTimeout(resolve, 50));
          await sessions.addSent(...given);
        },
      },
    }));
    await sale.app.inject(`/d/${sale.token}/files/1.0/pads.zip`);
    await sale.app.close();
    expect(await listSessions(sale)).toMatchObject([{ bytes: 5 }]);
  });
});
