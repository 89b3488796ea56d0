import type { HttpOptions } from '@handover/adapters-http';
import { describe, expect, test } from 'vitest';
import { openTestShop } from './open-test-shop.ts';

const TOKEN = 'a-token-of-the-test';
const read = async () => ({ contentType: 'text/plain; version=0.0.4', text: 'up 1\n' });

async function scrape(
  request: { readonly headers?: Record<string, string>; readonly remoteAddress?: string },
  { token = null, ...options }: Partial<HttpOptions> & { readonly token?: string | null } = {},
): Promise<number> {
  const siteUrl = 'http://localhost:3000';
  const { app } = await openTestShop(undefined, { metrics: { token, read }, siteUrl, ...options });
  const answer = await app.inject({ url: '/metrics', ...request });
  expect(answer.body === 'up 1\n').toBe(answer.statusCode === 200);
  return answer.statusCode;
}

describe('GET /metrics', () => {
  test('without a token answers programs on this machine only', async () => {
    expect(await scrape({})).toBe(200);
    expect(await scrape({ remoteAddress: '::1' })).toBe(200);
    expect(await scrape({ remoteAddress: '192.0.2.1' })).toBe(403);
    expect(await scrape({ remoteAddress: '192.0.2.1', headers: { 'x-forwarded-for': '127.0.0.1' } })).toBe(
      403,
    );
  });

  test.each([false, ['127.0.0.1']])(
    'without a token refuses forwarded requests, with TRUST_PROXY %s',
    async (trustProxy) => {
      for (const header of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']) {
        expect(await scrape({ headers: { [header]: '127.0.0.1' } }, { trustProxy })).toBe(403);
      }
      // A proxy that adds no header, but keeps the name that it was asked for.
      expect(await scrape({ headers: { host: 'shop.test' } }, { trustProxy })).toBe(403);
    },
  );

  test('without a token answers nobody where the pages are public: a proxy may hide that it is one', async () => {
    const hidden = { remoteAddress: '127.0.0.1', headers: { host: '127.0.0.1:3000' } };
    expect(await scrape(hidden)).toBe(200);
    expect(await scrape(hidden, { siteUrl: 'https://get.example.com' })).toBe(403);
    const headers = { authorization: `Bearer ${TOKEN}` };
    expect(await scrape({ headers }, { siteUrl: 'https://get.example.com', token: TOKEN })).toBe(200);
  });

  test('with a token answers only requests that send it', async () => {
    const bearer = (text: string) => ({ headers: { authorization: text }, remoteAddress: '192.0.2.1' });
    expect(await scrape(bearer(`Bearer ${TOKEN}`), { token: TOKEN })).toBe(200);
    for (const text of [
      '',
      TOKEN,
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(1)}`,
      'Bearer ',
      `Basic ${TOKEN}`,
    ]) {
      expect(await scrape(bearer(text), { token: TOKEN })).toBe(401);
    }
    expect(await scrape({}, { token: TOKEN })).toBe(401);
  });

  test('names each outcome of a webhook request once', async () => {
    const noted: string[] = [];
    const observeWebhook: HttpOptions['observeWebhook'] = (platform, outcome) =>
      noted.push(`${platform} ${outcome}`);
    const { app, shop } = await openTestShop(undefined, { observeWebhook });
    await app.inject({ method: 'POST', url: `/webhooks/${shop.orgId}/storefront-a`, payload: '{}' });
    await app.inject({ method: 'POST', url: '/webhooks/nobody/storefront-a', payload: '{}' });
    expect(noted).toEqual(['storefront-a refused', 'storefront-a unknown-organisation']);
  });
});
