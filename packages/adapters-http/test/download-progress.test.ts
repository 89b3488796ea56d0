import { once } from 'node:events';
import { restoreLink, revokeLink } from '@handover/domain';
import { BY_JANA } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { dial, listen, untilSteady } from './over-the-wire.ts';
import { type Sale, sellPads } from './sell-pads.ts';

const HOUR = 60 * 60 * 1000;

function ask(sale: Sale, token = sale.token) {
  return sale.app.inject(`/d/${token}/progress`);
}

describe('GET /d/{token}/progress', () => {
  test('returns what the latest session has sent of each file, and when', async () => {
    const sale = await sellPads();
    const file = { version: '1.0', name: 'pads.zip', size: 5 };
    const before = await ask(sale);
    expect(before.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(before.json()).toEqual({
      session: null,
      files: [{ ...file, sent: 0, whole: false }],
      whole: false,
    });
    const at = `/d/${sale.token}/files/1.0/pads.zip`;
    await sale.app.inject({ url: at, headers: { range: 'bytes=0-2' } });
    const now = sale.clock.now().toISOString();
    await expect
      .poll(async () => (await ask(sale)).json())
      .toEqual({
        session: { id: expect.any(String), startedAt: now, lastByteAt: now, completedAt: null },
        files: [{ ...file, sent: 3, whole: false }],
        whole: false,
      });
    await sale.app.inject({ url: at, headers: { range: 'bytes=1-' } });
    await expect
      .poll(async () => (await ask(sale)).json())
      .toMatchObject({ files: [{ ...file, sent: 5, whole: true }], whole: true });
  });

  test('is updated while the transfer runs', async () => {
    const size = 64 * 1024 * 1024;
    const sale = await sellPads(
      (page) => ({
        ...page,
        version: { label: '1', files: [{ name: 'large.bin', size, sha256: 'ab'.repeat(32) }] },
      }),
      ({ files }) => ({
        files: {
          ...files,
          open: async () =>
            (async function* () {
              for (let at = 0; at < size; at += 65_536) yield Buffer.alloc(65_536);
            })(),
        },
      }),
    );
    const socket = await dial(await listen(sale.app), [
      `GET /d/${sale.token}/files/1/large.bin HTTP/1.1`,
      'Host: x',
    ]);
    await once(socket, 'readable');
    await untilSteady(() => socket.bytesRead);
    const [file] = (await ask(sale)).json().files;
    expect(file.sent).toBeGreaterThan(0);
    expect(file.sent).toBeLessThan(size);
    expect(file.whole).toBe(false);
  });

  test('changes nothing: the link expires as without the request, and works even then', async () => {
    const sale = await sellPads();
    sale.clock.advance(47 * HOUR);
    expect((await ask(sale)).statusCode).toBe(200);
    sale.clock.advance(HOUR);
    expect((await sale.app.inject(`/d/${sale.token}`)).statusCode).toBe(410);
    expect((await ask(sale)).statusCode).toBe(200);
  });

  test('answers 404 and 410 as JSON for an unknown link and a revoked one', async () => {
    const sale = await sellPads();
    const unknown = await ask(sale, `${sale.token}x`);
    expect([unknown.statusCode, unknown.json()]).toEqual([404, { error: expect.any(String) }]);
    const linkId = sale.ports.tokens.open(sale.token)?.linkId ?? '';
    await revokeLink(sale.ports, sale.shop.orgId, linkId, BY_JANA);
    const revoked = await ask(sale);
    expect([revoked.statusCode, revoked.json()]).toEqual([410, { error: expect.any(String) }]);
    expect((await sale.app.inject(`/d/${sale.token}`)).statusCode).toBe(410);
    expect((await sale.app.inject(`/d/${sale.token}/files/1.0/pads.zip`)).statusCode).toBe(410);
    await restoreLink(sale.ports, sale.shop.orgId, linkId, BY_JANA);
    expect((await ask(sale)).statusCode).toBe(200);
  });
});

describe('a download session', () => {
  test('belongs to a browser or a companion, and a request can name the session that it joins', async () => {
    const sale = await sellPads();
    const at = `/d/${sale.token}/files/1.0/pads.zip`;
    await sale.app.inject({ url: at, headers: { 'user-agent': 'Mozilla/5.0 (X11) Firefox/140.0' } });
    const session = async () => (await ask(sale)).json().session;
    await expect.poll(session).toBeTruthy();
    const first = await session();
    sale.clock.advance(2 * HOUR);
    await sale.app.inject({ url: `${at}?session=${first.id}`, headers: { 'user-agent': 'curl/8' } });
    await expect.poll(session).toMatchObject({ id: first.id, lastByteAt: sale.clock.now().toISOString() });
    sale.clock.advance(2 * HOUR);
    await sale.app.inject({ url: `${at}?session=nonsense`, headers: { 'user-agent': 'curl/8' } });
    await expect.poll(async () => (await session()).id).not.toBe(first.id);
    const rows = [];
    const period = { from: new Date(0), until: new Date('2100-01-01') };
    for await (const row of sale.stores.sessions.list(sale.shop.orgId, period)) rows.push(row);
    expect(rows).toMatchObject([
      { client: 'browser', bytes: 10, filesBegun: 1, filesWhole: 1 },
      { client: 'companion', bytes: 5 },
    ]);
  });

  test('of an empty file starts when it was sent, and is complete', async () => {
    const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    const sale = await sellPads((page) => ({
      ...page,
      version: { label: '1.0', files: [{ name: 'pads.zip', size: 0, sha256 }] },
    }));
    await sale.ports.files.store(sale.shop.orgId, (async function* () {})());
    expect((await sale.app.inject(`/d/${sale.token}/files/1.0/pads.zip`)).statusCode).toBe(200);
    await expect
      .poll(async () => (await ask(sale)).json())
      .toMatchObject({
        session: { completedAt: null },
        files: [{ size: 0, sent: 0, whole: true }],
        whole: true,
      });
  });
});
