import { DomainError } from '@handover/domain';
import { describe, expect, test } from 'vitest';
import { listen } from './over-the-wire.ts';
import { type Sale, sellPads } from './sell-pads.ts';

const HOUR = 60 * 60 * 1000;
const FORM = 'application/x-www-form-urlencoded';

function complete(it: Sale, payload: object | string, type = 'application/json', orgId = it.shop.orgId) {
  return it.app.inject({
    method: 'POST',
    url: `/webhooks/${orgId}/download-complete`,
    headers: { 'content-type': type },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
}

async function download(it: Sale): Promise<string> {
  await it.app.inject(`/d/${it.token}/files/1.0/pads.zip`);
  return expect
    .poll(async () => (await readProgress(it)).session?.id)
    .toBeTruthy()
    .then(async () => (await readProgress(it)).session.id);
}

async function readProgress(it: Sale) {
  return (await it.app.inject(`/d/${it.token}/progress`)).json();
}

function entries({ stores, shop, ports, token }: Sale) {
  const subjectId = ports.tokens.open(token)?.linkId ?? '';
  return stores.activity.list(shop.orgId, { subjectId, before: null, limit: 100 });
}

async function usedAt({ stores, shop }: Sale) {
  for await (const row of stores.purchases.list(shop.orgId)) return row.downloadUsedAt;
  return null;
}

describe('POST /webhooks/{org}/download-complete', () => {
  test('marks the link used and completes its session, once, as JSON or as a form', async () => {
    const it = await sellPads();
    const sessionId = await download(it);
    expect(await usedAt(it)).toBe(null);
    const answered = { received: true, sessionId, usedAt: it.clock.now().toISOString() };
    const first = await complete(it, { token: it.token });
    expect([first.statusCode, first.json()]).toEqual([200, answered]);
    it.clock.advance(HOUR);
    const again = await Promise.all([
      complete(it, { token: it.token, sessionId }),
      complete(it, { token: it.token, sessionId: null }),
      complete(it, `token=${encodeURIComponent(it.token)}`, FORM),
      complete(it, `token=${encodeURIComponent(it.token)}&sessionId=${sessionId}`, FORM),
    ]);
    for (const answer of again) expect([answer.statusCode, answer.json()]).toEqual([200, answered]);
    expect((await usedAt(it))?.toISOString()).toBe(answered.usedAt);
    expect((await readProgress(it)).session.completedAt).toBe(answered.usedAt);
    expect(await entries(it)).toHaveLength(1);
  });

  test('nothing else marks a link used: not its page, not its file, however whole', async () => {
    const it = await sellPads();
    await it.app.inject(`/d/${it.token}`);
    await download(it);
    expect(await readProgress(it)).toMatchObject({ whole: true, session: { completedAt: null } });
    expect(await usedAt(it)).toBe(null);
  });

  test('is taken for a link that expired meanwhile, and for one whose bytes went another way', async () => {
    const it = await sellPads();
    it.clock.advance(72 * HOUR);
    const answer = await complete(it, { token: it.token });
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { received: true, sessionId: null }]);
    await complete(it, { token: it.token });
    expect(await entries(it)).toHaveLength(1);
  });

  test('finds the session of whoever says so with the last byte just read', async () => {
    const it = await sellPads();
    const site = `http://127.0.0.1:${await listen(it.app)}`;
    for (let round = 1; round <= 20; round += 1) {
      await (await fetch(`${site}/d/${it.token}/files/1.0/pads.zip`)).arrayBuffer();
      const answer = await fetch(`${site}/webhooks/${it.shop.orgId}/download-complete`, {
        method: 'POST',
        body: new URLSearchParams({ token: it.token }),
      });
      expect(await answer.json()).toMatchObject({ received: true, sessionId: expect.any(String) });
      expect(await entries(it)).toHaveLength(round);
    }
  });

  test('400 without a token, in a sentence that names it', async () => {
    const it = await sellPads();
    const bodies: [object | string, string][] = [
      [{}, 'application/json'],
      [{ token: '' }, 'application/json'],
      [{ token: 5 }, 'application/json'],
      ['', FORM],
      ['tok=x', FORM],
    ];
    for (const [payload, type] of bodies) {
      const answer = await complete(it, payload, type);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error).toMatch(/^“token” is missing/);
    }
    for (const payload of ['{', '[]', 'null', '"x"']) {
      const answer = await complete(it, payload);
      expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'The body is not a JSON object.' }]);
    }
    expect((await complete(it, { token: it.token, sessionId: 5 })).json().error).toMatch(/^“sessionId”/);
    const bare = await it.app.inject({
      method: 'POST',
      url: `/webhooks/${it.shop.orgId}/download-complete`,
    });
    expect(bare.statusCode).toBe(400);
  });

  test('404 for what is not ours: another organisation’s, tampered, another link’s session', async () => {
    const it = await sellPads();
    const answers = await Promise.all([
      complete(it, { token: it.token }, undefined, '018f0000-0000-7000-8000-000000000000'),
      complete(it, { token: it.token }, undefined, 'nonsense'),
      complete(it, { token: `${it.token}x` }),
      complete(it, { token: 'junk' }),
      complete(it, { token: it.token, sessionId: '018f0000-0000-7000-8000-000000000000' }),
      complete(it, { token: it.token, sessionId: 'nonsense' }),
    ]);
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([404, { error: expect.any(String) }]);
    }
    expect(await usedAt(it)).toBe(null);
    expect(await entries(it)).toEqual([]);
  });

  test('410 for a revoked link, 413 for a large body, 415 for another type, and 503 with the database away', async () => {
    const it = await sellPads();
    const linkId = it.ports.tokens.open(it.token)?.linkId ?? '';
    await it.stores.links.revoke(it.shop.orgId, linkId, it.clock.now());
    expect((await complete(it, { token: it.token })).statusCode).toBe(410);
    expect((await complete(it, { token: 'x'.repeat(9000) })).statusCode).toBe(413);
    expect((await complete(it, it.token, 'text/plain')).statusCode).toBe(415);
    const away = await sellPads(undefined, ({ sessions }) => ({
      sessions: {
        ...sessions,
        complete: async () => Promise.reject(new DomainError('store-unavailable', 'x')),
      },
    }));
    const answer = await complete(away, { token: away.token });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
  });

  test('leaves no token in the log', async () => {
    const it = await sellPads();
    await complete(it, { token: it.token });
    await complete(it, { token: `${it.token}x` });
    expect(JSON.stringify(it.log.lines)).not.toContain(it.token);
    expect(it.log.requests()[0]).toMatchObject({ route: '/webhooks/:orgId/download-complete', status: 200 });
  });
});
