import { gzipSync } from 'node:zlib';
import { DomainError, revokeLink } from '@handover/domain';
import { BY_JANA } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { listen } from './over-the-wire.ts';
import { type Sale, sellPads } from './sell-pads.ts';

const HOUR = 60 * 60 * 1000;
const FORM = 'application/x-www-form-urlencoded';

function complete(sale: Sale, payload: object | string, type = 'application/json', orgId = sale.shop.orgId) {
  return sale.app.inject({
    method: 'POST',
    url: `/webhooks/${orgId}/download-complete`,
    headers: { 'content-type': type },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
}

async function download(sale: Sale): Promise<string> {
  await sale.app.inject(`/d/${sale.token}/files/1.0/pads.zip`);
  return expect
    .poll(async () => (await readProgress(sale)).session?.id)
    .toBeTruthy()
    .then(async () => (await readProgress(sale)).session.id);
}

async function readProgress(sale: Sale) {
  return (await sale.app.inject(`/d/${sale.token}/progress`)).json();
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
    const sale = await sellPads();
    const sessionId = await download(sale);
    expect(await usedAt(sale)).toBe(null);
    const answered = { received: true, sessionId, usedAt: sale.clock.now().toISOString() };
    const first = await complete(sale, { token: sale.token });
    expect([first.statusCode, first.json()]).toEqual([200, answered]);
    sale.clock.advance(HOUR);
    const again = await Promise.all([
      complete(sale, { token: sale.token, sessionId }),
      complete(sale, { token: sale.token, sessionId: null }),
      complete(sale, `token=${encodeURIComponent(sale.token)}`, FORM),
      complete(sale, `token=${encodeURIComponent(sale.token)}&sessionId=${sessionId}`, FORM),
    ]);
    for (const answer of again) expect([answer.statusCode, answer.json()]).toEqual([200, answered]);
    expect((await usedAt(sale))?.toISOString()).toBe(answered.usedAt);
    expect((await readProgress(sale)).session.completedAt).toBe(answered.usedAt);
    expect(await entries(sale)).toHaveLength(1);
  });

  test.each([
    ['the JSON that sendBeacon sends as text', 'text/plain;charset=UTF-8', JSON.stringify],
    ['the form that sendBeacon sends as text', 'text/plain', ({ token }) => `token=${token}`],
    ['JSON under the type that curl adds', FORM, JSON.stringify],
    [
      'a multipart form',
      'Multipart/Form-Data; boundary="-x"',
      ({ token }) => `---x\r\nContent-Disposition: form-data; name="token"\r\n\r\n${token}\r\n---x--\r\n`,
    ],
  ] satisfies [string, string, (fields: { token: string }) => string][])(
    'reads %s',
    async (_what, type, write) => {
      const sale = await sellPads();
      const answer = await complete(sale, write({ token: sale.token }), type);
      expect([answer.statusCode, answer.json()]).toMatchObject([200, { received: true }]);
    },
  );

  test('takes the organisation’s id in capitals, as every webhook does', async () => {
    const sale = await sellPads();
    const answer = await complete(sale, { token: sale.token }, undefined, sale.shop.orgId.toUpperCase());
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { received: true }]);
  });

  test('reads a body that names no type', async () => {
    const sale = await sellPads();
    const site = `http://127.0.0.1:${await listen(sale.app)}`;
    const body = new TextEncoder().encode(JSON.stringify({ token: sale.token }));
    const url = `${site}/webhooks/${sale.shop.orgId}/download-complete`;
    expect(await (await fetch(url, { method: 'POST', body })).json()).toMatchObject({ received: true });
  });

  test('answers 400 for a multipart form that broke off', async () => {
    const answer = await complete(await sellPads(), '--x\r\n', 'multipart/form-data; boundary=x');
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'The body is not a form.' }]);
  });

  test('leaves marking to this endpoint: neither the page nor a whole file marks a link used', async () => {
    const sale = await sellPads();
    await sale.app.inject(`/d/${sale.token}`);
    await download(sale);
    expect(await readProgress(sale)).toMatchObject({ whole: true, session: { completedAt: null } });
    expect(await usedAt(sale)).toBe(null);
  });

  test('accepts a link that has expired, and one whose bytes another server sent', async () => {
    const sale = await sellPads();
    sale.clock.advance(72 * HOUR);
    const answer = await complete(sale, { token: sale.token });
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { received: true, sessionId: null }]);
    await complete(sale, { token: sale.token });
    expect(await entries(sale)).toHaveLength(1);
  });

  test('finds the session when the client reports it right after the last byte', async () => {
    const sale = await sellPads();
    const site = `http://127.0.0.1:${await listen(sale.app)}`;
    for (let round = 1; round <= 20; round += 1) {
      await (await fetch(`${site}/d/${sale.token}/files/1.0/pads.zip`)).arrayBuffer();
      const answer = await fetch(`${site}/webhooks/${sale.shop.orgId}/download-complete`, {
        method: 'POST',
        body: new URLSearchParams({ token: sale.token }),
      });
      expect(await answer.json()).toMatchObject({ received: true, sessionId: expect.any(String) });
      expect(await entries(sale)).toHaveLength(round);
    }
  });

  test('answers 400 without a token, in a sentence that names it', async () => {
    const sale = await sellPads();
    const bodies: [object | string, string][] = [
      [{}, 'application/json'],
      [{ token: '' }, 'application/json'],
      [{ token: 5 }, 'application/json'],
      ['', FORM],
      ['tok=x', FORM],
    ];
    for (const [payload, type] of bodies) {
      const answer = await complete(sale, payload, type);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error).toMatch(/^“token” is missing/);
    }
    for (const payload of ['{', '[]', 'null', '"x"']) {
      const answer = await complete(sale, payload);
      expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'The body is not a JSON object.' }]);
    }
    expect((await complete(sale, { token: sale.token, sessionId: 5 })).json().error).toMatch(/^“sessionId”/);
    const bare = await sale.app.inject({
      method: 'POST',
      url: `/webhooks/${sale.shop.orgId}/download-complete`,
    });
    expect(bare.statusCode).toBe(400);
  });

  test('answers 404 for a foreign token, a tampered one, and another link’s session', async () => {
    const sale = await sellPads();
    const answers = await Promise.all([
      complete(sale, { token: sale.token }, undefined, '018f0000-0000-7000-8000-000000000000'),
      complete(sale, { token: sale.token }, undefined, 'nonsense'),
      complete(sale, { token: `${sale.token}x` }),
      complete(sale, { token: 'junk' }),
      complete(sale, { token: sale.token, sessionId: '018f0000-0000-7000-8000-000000000000' }),
      complete(sale, { token: sale.token, sessionId: 'nonsense' }),
    ]);
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([404, { error: expect.any(String) }]);
    }
    expect(await usedAt(sale)).toBe(null);
    expect(await entries(sale)).toEqual([]);
  });

  test('answers 410 for a revoked link, 413 for a large body, 415 for another type, and 503 without the database', async () => {
    const sale = await sellPads();
    const linkId = sale.ports.tokens.open(sale.token)?.linkId ?? '';
    await revokeLink(sale.ports, sale.shop.orgId, linkId, BY_JANA);
    expect((await complete(sale, { token: sale.token })).statusCode).toBe(410);
    expect((await complete(sale, { token: 'x'.repeat(9000) })).statusCode).toBe(413);
    expect((await complete(sale, sale.token, 'text/plain')).statusCode).toBe(415);
    const away = await sellPads(undefined, ({ sessions }) => ({
      sessions: {
        ...sessions,
        complete: async () => Promise.reject(new DomainError('store-unavailable', 'x')),
      },
    }));
    const answer = await complete(away, { token: away.token });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
  });

  test.each([
    ['application/json', (token: string) => JSON.stringify({ token })],
    ['application/x-www-form-urlencoded', (token: string) => `token=${token}`],
  ])('answers 415 to a compressed body, and says so, as %s', async (type, write) => {
    const sale = await sellPads();
    const answer = await sale.app.inject({
      method: 'POST',
      url: `/webhooks/${sale.shop.orgId}/download-complete`,
      headers: { 'content-type': type, 'content-encoding': 'gzip' },
      payload: gzipSync(write(sale.token)),
    });
    expect([answer.statusCode, answer.json()]).toEqual([
      415,
      { error: 'Send the body as it is, without “Content-Encoding”.' },
    ]);
  });

  test('leaves no token in the log', async () => {
    const sale = await sellPads();
    await complete(sale, { token: sale.token });
    await complete(sale, { token: `${sale.token}x` });
    expect(JSON.stringify(sale.log.lines)).not.toContain(sale.token);
    expect(sale.log.requests()[0]).toMatchObject({
      route: '/webhooks/:orgId/download-complete',
      status: 200,
    });
  });
});
