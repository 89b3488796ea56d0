import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { dial, listen, untilSteady } from './over-the-wire.ts';
import { type Sale, sellPads } from './sell-pads.ts';

const HOUR = 60 * 60 * 1000;

function ask(it: Sale, token = it.token) {
  return it.app.inject(`/d/${token}/progress`);
}

describe('GET /d/{token}/progress', () => {
  test('tells what the latest session has sent of each file, and when', async () => {
    const it = await sellPads();
    const file = { version: '1.0', name: 'pads.zip', size: 5 };
    const before = await ask(it);
    expect(before.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(before.json()).toEqual({
      session: null,
      files: [{ ...file, sent: 0, whole: false }],
      whole: false,
    });
    const at = `/d/${it.token}/files/1.0/pads.zip`;
    await it.app.inject({ url: at, headers: { range: 'bytes=0-2' } });
    const now = it.clock.now().toISOString();
    await expect
      .poll(async () => (await ask(it)).json())
      .toEqual({
        session: { id: expect.any(String), startedAt: now, lastByteAt: now, completedAt: null },
        files: [{ ...file, sent: 3, whole: false }],
        whole: false,
      });
    await it.app.inject({ url: at, headers: { range: 'bytes=1-' } });
    await expect
      .poll(async () => (await ask(it)).json())
      .toMatchObject({ files: [{ ...file, sent: 5, whole: true }], whole: true });
  });

  test('is told while the transfer runs', async () => {
    const size = 64 * 1024 * 1024;
    const it = await sellPads(
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
    const socket = await dial(await listen(it.app), [
      `GET /d/${it.token}/files/1/large.bin HTTP/1.1`,
      'Host: x',
    ]);
    await once(socket, 'readable');
    await untilSteady(() => socket.bytesRead);
    const [file] = (await ask(it)).json().files;
    expect(file.sent).toBeGreaterThan(0);
    expect(file.sent).toBeLessThan(size);
    expect(file.whole).toBe(false);
  });

  test('changes nothing: the link expires as if nobody had asked, and is told of even then', async () => {
    const it = await sellPads();
    it.clock.advance(47 * HOUR);
    expect((await ask(it)).statusCode).toBe(200);
    it.clock.advance(HOUR);
    expect((await it.app.inject(`/d/${it.token}`)).statusCode).toBe(410);
    expect((await ask(it)).statusCode).toBe(200);
  });

  test('404 and 410 as JSON for a link that is not ours and one that was withdrawn', async () => {
    const it = await sellPads();
    const unknown = await ask(it, `${it.token}x`);
    expect([unknown.statusCode, unknown.json()]).toEqual([404, { error: expect.any(String) }]);
    const linkId = it.ports.tokens.open(it.token)?.linkId ?? '';
    await it.stores.links.revoke(it.shop.orgId, linkId, it.clock.now());
    const revoked = await ask(it);
    expect([revoked.statusCode, revoked.json()]).toEqual([410, { error: expect.any(String) }]);
    expect((await it.app.inject(`/d/${it.token}`)).statusCode).toBe(410);
    expect((await it.app.inject(`/d/${it.token}/files/1.0/pads.zip`)).statusCode).toBe(410);
    await it.stores.links.restore(it.shop.orgId, linkId);
    expect((await ask(it)).statusCode).toBe(200);
  });
});

describe('a download session', () => {
  test('is of a browser or of a companion, and a request may name the one that it joins', async () => {
    const it = await sellPads();
    const at = `/d/${it.token}/files/1.0/pads.zip`;
    await it.app.inject({ url: at, headers: { 'user-agent': 'Mozilla/5.0 (X11) Firefox/140.0' } });
    const session = async () => (await ask(it)).json().session;
    await expect.poll(session).toBeTruthy();
    const first = await session();
    it.clock.advance(2 * HOUR);
    await it.app.inject({ url: `${at}?session=${first.id}`, headers: { 'user-agent': 'curl/8' } });
    await expect.poll(session).toMatchObject({ id: first.id, lastByteAt: it.clock.now().toISOString() });
    it.clock.advance(2 * HOUR);
    await it.app.inject({ url: `${at}?session=nonsense`, headers: { 'user-agent': 'curl/8' } });
    await expect.poll(async () => (await session()).id).not.toBe(first.id);
    const rows = [];
    const period = { from: new Date(0), until: new Date('2100-01-01') };
    for await (const row of it.stores.sessions.list(it.shop.orgId, period)) rows.push(row);
    expect(rows).toMatchObject([
      { client: 'browser', bytes: 10, filesBegun: 1, filesWhole: 1 },
      { client: 'companion', bytes: 5 },
    ]);
  });

  test('of an empty file begins when it was sent, and is whole', async () => {
    const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    const it = await sellPads((page) => ({
      ...page,
      version: { label: '1.0', files: [{ name: 'pads.zip', size: 0, sha256 }] },
    }));
    await it.ports.files.store(it.shop.orgId, (async function* () {})());
    expect((await it.app.inject(`/d/${it.token}/files/1.0/pads.zip`)).statusCode).toBe(200);
    await expect
      .poll(async () => (await ask(it)).json())
      .toMatchObject({
        session: { completedAt: null },
        files: [{ size: 0, sent: 0, whole: true }],
        whole: true,
      });
  });
});
