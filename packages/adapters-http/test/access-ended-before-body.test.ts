import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { openDashboard } from './open-dashboard.ts';
import { bearer } from './open-test-shop.ts';

/** Sends the first half of the body, lets `meanwhile` happen more than a second after the key was found, and sends the rest. */
async function sendSlowly(
  path: string,
  {
    type,
    body,
    key,
    meanwhile,
  }: { type: string; body: string; key: string; meanwhile: () => Promise<unknown> },
  { url, countFound }: { readonly url: string; readonly countFound: () => number },
) {
  const found = countFound();
  const headers = { ...bearer(key), 'content-type': type, 'content-length': body.length };
  const sent = request(`${url}${path}`, { method: 'POST', headers });
  sent.write(body.slice(0, 5));
  // On a busy machine, the server begins with the request long after it was sent.
  await vi.waitFor(() => expect(countFound()).toBe(found + 1), WAIT_TIMEOUT_MS);
  await sleep(1_100);
  await meanwhile();
  sent.end(body.slice(5));
  const [answer] = await once(sent, 'response');
  return { status: answer.statusCode, body: await text(answer) };
}

async function openWithKey(options: Parameters<typeof openDashboard>[1] = {}) {
  const dashboard = await openDashboard(undefined, options);
  const admin = await dashboard.signIn('admin');
  const [key] = await dashboard.ports.userKeys.list(admin.userId);
  if (!key) throw new Error('The user has no key.');
  const url = await dashboard.app.listen({ port: 0, host: '127.0.0.1' });
  const finding = vi.spyOn(dashboard.ports.users, 'findByKeyHash');
  const server = {
    url,
    countFound: () => finding.mock.settledResults.filter(({ type }) => type === 'fulfilled').length,
  };
  const revoke = () => dashboard.ports.userKeys.revoke(admin.userId, key.name);
  const read = async (path: string) =>
    (await dashboard.app.inject({ url: path, headers: bearer(dashboard.shop.ownerKey) })).body;
  return { ...dashboard, key: dashboard.ports.apiKeys.reveal(key), server, revoke, read };
}

test('a key that is revoked while the body arrives makes no product', async () => {
  const { key, server, revoke, read } = await openWithKey();
  const send = (slug: string, meanwhile: () => Promise<unknown>) => {
    const body = JSON.stringify({ name: 'Keys', slug });
    return sendSlowly('/api/products', { type: 'application/json', body, key, meanwhile }, server);
  };
  expect((await send('in-time', async () => undefined)).status).toBe(201);
  const late = await send('late', revoke);
  expect([late.status, JSON.parse(late.body)]).toEqual([401, { error: expect.stringContaining('ended') }]);
  const products = await read('/api/products');
  expect([products.includes('in-time'), products.includes('late')]).toEqual([true, false]);
});

test('nor one where nothing is logged', async () => {
  const { key, server, revoke } = await openWithKey({ log: false });
  const body = JSON.stringify({ name: 'Keys', slug: 'late' });
  const late = await sendSlowly(
    '/api/products',
    { type: 'application/json', body, key, meanwhile: revoke },
    server,
  );
  expect(late.status).toBe(401);
});

test('nor does it record a sale, and the answer is a fragment, as always there', async () => {
  const { key, server, revoke, shop, read } = await openWithKey();
  const body = new URLSearchParams({
    customerId: 'new',
    'newCustomer.name': 'Ana',
    'newCustomer.email': 'ana@example.com',
    productId: shop.product.id,
    amount: '1.00',
    currency: 'EUR',
    paymentMethod: 'cash',
  }).toString();
  const form = { type: 'application/x-www-form-urlencoded', body, key, meanwhile: revoke };
  const late = await sendSlowly('/api/purchases', form, server);
  expect(late.status).toBe(401);
  expect(late.body).toMatch(/^<[^!][\s\S]*access ended/);
  expect(await read('/api/purchases')).toBe('[]');
});
