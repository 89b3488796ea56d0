import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { addProduct, setProductStatus } from '../../../test/shop-api.ts';
import { openDatabase } from './support/open-database.ts';
import { runCliForJson } from './support/server-process.ts';
import { makeOwnerEmail, shareServer } from './support/shared-server.ts';
import { listPurchases, until } from './support/shop.ts';
import { openTradingShop } from './support/webhooks.ts';

// Sends bodies as the vendors send them through a running server, and checks what is delivered, how often, and for
// how much.

const shared = shareServer();
const SECRET = 'captured-orders-secret';

const readFixture = (name: string): Uint8Array =>
  readFileSync(new URL(`../../../packages/platform-webhooks/cart-a/test/fixtures/${name}`, import.meta.url));

async function openCart() {
  const opened = await openTradingShop(shared());
  const { server, shop, integrate, post, ask } = opened;
  await integrate('cart-a', ['--secret', SECRET]);
  const addSku = async (sku: string, slug: string) => {
    const file = new Uint8Array([1, 2, 3]);
    const { id: productId } = await addProduct(server.url, shop.apiKey, { name: slug, slug, file });
    await setProductStatus(server.url, shop.apiKey, productId, 'published');
    await ask(`/sku-mappings/${sku}`, 'PUT', { productId });
  };
  const send = async (body: Uint8Array) => {
    const sent = await post('cart-a', { body, headers: {}, query: { secret: SECRET } });
    expect(sent.status).toBe(200);
    return sent;
  };
  const sold = async () =>
    (await listPurchases(server.url, shop.apiKey))
      .map(({ productSlug, amount, currency }) => [productSlug, amount, currency])
      .sort();
  return { ...opened, addSku, send, sold };
}

it('ThriveCart: each part of an order is bought once at its own price, however often it is announced', async () => {
  const { addSku, send, sold } = await openCart();
  await addSku('product-101', 'scorecard');
  await addSku('UPSELL_101', 'planner');
  const created = readFixture('thrivecart-order-created.json');
  const payment = new TextEncoder().encode(
    new TextDecoder().decode(created).replace('order_created', 'order_payment_succeeded'),
  );
  for (const body of [readFixture('thrivecart-upsell.form'), created, payment, created]) await send(body);
  const expected = [
    ['planner', '40.00', 'USD'],
    ['scorecard', '9.00', 'USD'],
  ];
  await until(async () => (await sold()).length === expected.length);
  expect(await sold()).toEqual(expected);
});

it('ThriveCart: the two charges of a plan are sold once, for one price', async () => {
  const { addSku, send, sold } = await openCart();
  await addSku('product_2', 'starter');
  await send(readFixture('thrivecart-plan.form'));
  await until(async () => (await sold()).length > 0);
  expect(await sold()).toEqual([['starter', '30.00', 'EUR']]);
});

it('SamCart: an order is in the currency that the organisation chose, with all its digits', async () => {
  const { environment, shop, send, sold, addSku } = await openCart();
  await addSku('PAD-1', 'pads');
  const order = (id: number) => ({
    type: 'Order',
    api_key: null,
    product: { id: 2207, name: 'Pads', sku: 'PAD-1', price: 12.5 },
    customer: { email: `buyer-${id}@example.com`, first_name: 'A', last_name: 'B' },
    order: { id, total: 12.5 },
  });
  const post = (id: number) => send(new TextEncoder().encode(JSON.stringify(order(id))));
  await post(81);
  await until(async () => (await sold()).length === 1);
  expect(await sold()).toEqual([['pads', '12.5', null]]);
  const database = await openDatabase(environment.DATABASE_URL);
  await database.query('update organisations set currency = $1 where id = $2', ['EUR', shop.orgId]);
  await post(82);
  await until(async () => (await sold()).length === 2);
  expect(await sold()).toContainEqual(['pads', '12.50', 'EUR']);
});

it('org create says which currency the organisation sells in', async () => {
  const { environment } = shared();
  const create = ['org', 'create', '--name', 'Lumen', '--owner-email', makeOwnerEmail(), '--currency', 'chf'];
  const { orgId } = await runCliForJson<{ orgId: string }>(environment, create);
  const database = await openDatabase(environment.DATABASE_URL);
  const { rows } = await database.query('select currency from organisations where id = $1', [orgId]);
  expect(rows).toEqual([{ currency: 'CHF' }]);
});
