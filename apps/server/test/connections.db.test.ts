import { sampleOrder, signForTest } from '@handover/platform-checkout-a-classic/testing';
import {
  sampleOrder as sampleShopifyOrder,
  signForTest as signShopify,
} from '@handover/platform-storefront-a/testing';
import {
  sampleOrder as sampleWooOrder,
  signForTest as signWoo,
} from '@handover/platform-storefront-b/testing';
import { expect, it } from 'vitest';
import { runCli, runCliForJson, runCliHere } from './support/server-process.ts';
import { shareServer } from './support/shared-server.ts';
import { listPurchases, until } from './support/shop.ts';
import { openTradingShop, SALE, SIGNERS } from './support/webhooks.ts';

const shared = shareServer();

interface Said {
  readonly rejectedThatVerify: number;
  readonly delivered: number;
}

it('two shops of one platform, both with order 727, make two purchases; and a product id is one of its platform', async () => {
  const { server, shop, integrate, post, ask } = await openTradingShop(shared());
  const woo = ['eu', 'us'];
  for (const name of woo)
    await integrate('storefront-b', ['--name', name, '--secret', `secret-of-woo-${name}`]);
  await ask('/sku-mappings/93', 'PUT', { productId: shop.productId, platform: 'storefront-b' });
  const line = { sku: '', product_id: '93', variant_id: '93' };
  const body = sampleShopifyOrder({}, [line]);
  const headers = signShopify('the-signing-secret-of-the-shop', body);
  expect((await post('storefront-a', { body, headers, query: {} })).status).toBe(200);
  expect(await listPurchases(server.url, shop.apiKey)).toEqual([]);

  const order = sampleWooOrder({ id: '727', number: '727' }, [{ sku: '', product_id: '93' }]);
  for (const name of [...woo, 'eu']) {
    const sent = await post('storefront-b', {
      body: order,
      headers: signWoo(`secret-of-woo-${name}`, order),
      query: {},
    });
    expect([name, sent.status]).toEqual([name, 200]);
  }
  const purchases = await listPurchases(server.url, shop.apiKey);
  expect(purchases.map(({ orderId }) => orderId)).toEqual(['727', '727']);
});

it('a wrong, missing, truncated, doubled or non-ASCII signature is 401 on every platform', async () => {
  const { server, shop, integrate, post, log } = await openTradingShop(shared());
  const platforms = Object.keys(SIGNERS);
  await Promise.all(platforms.map((platform) => integrate(platform, ['--secret', `secret-of-${platform}`])));
  for (const [platform, sign] of Object.entries(SIGNERS)) {
    const genuine = sign(`secret-of-${platform}`, SALE);
    const part = platform === 'cart-a' ? 'query' : 'headers';
    const name = Object.keys(genuine[part]).find((key) => /hmac|signature|hash|secret/i.test(key)) ?? '';
    const value = genuine[part][name] ?? '';
    expect([platform, value.length > 8]).toEqual([platform, true]);
    const flaws = ['', value.slice(0, -1), value + value, `${value}, ${value}`, `${value.slice(1)}é`, 'x'];
    for (const flawed of flaws) {
      const sent = { ...genuine, [part]: { ...genuine[part], [name]: flawed } };
      expect([platform, flawed, (await post(platform, sent)).status]).toEqual([platform, flawed, 401]);
    }
    expect((await post(platform, sign('secret-of-someone-else', SALE))).status).toBe(401);
  }
  expect(await log()).toEqual([]);
  expect(await listPurchases(server.url, shop.apiKey)).toEqual([]);
});

it('a security pair that was used before with another body is accepted and flagged, and refused when strict', async () => {
  const { server, shop, integrate, post, log } = await openTradingShop(shared());
  const KEY = 'classic-key';
  await integrate('checkout-a-classic', ['--secret', KEY]);
  const at = Date.now();
  const orderOf = (orderId: string, pairOf = orderId) => {
    const data = `${at}${pairOf}buyer@example.com`;
    const body = sampleOrder({ orderId }, [{ sku: 'felt-piano' }]);
    return { body, headers: signForTest(KEY, data), query: {} };
  };
  const send = (orderId: string, pairOf?: string) => post('checkout-a-classic', orderOf(orderId, pairOf));
  const delivered = (count: number) =>
    until(async () => (await listPurchases(server.url, shop.apiKey)).length === count);
  for (const orderId of ['EXA-1', 'EXA-1', 'EXA-2']) {
    expect((await send(orderId, 'EXA-1')).status).toBe(200);
  }
  await delivered(2);
  const flagged = await until(async () => {
    const entries = await log();
    return entries.every(({ status }) => status === 'success') && entries;
  });
  const FLAG = 'The security pair of this delivery came before with another body.';
  expect(flagged.map(({ orderId, note }) => [orderId, note?.includes(FLAG) ?? false])).toEqual([
    ['EXA-2', true],
    ['EXA-1', false],
    ['EXA-1', false],
  ]);

  const rules = await integrate('checkout-a-classic', ['--strict']);
  expect(rules).toMatchObject({ rules: { strict: true }, formerSecretUntil: null });
  expect(await send('EXA-3', 'EXA-1')).toMatchObject({
    status: 401,
    error: 'The security data does not name the order of the body.',
  });
  expect((await send('EXA-3')).status).toBe(200);
  // The same pair, and a body of the same order: only the earlier use reveals it.
  const again = orderOf('EXA-3');
  const body = sampleOrder({ orderId: 'EXA-3', email: 'thief@example.com' }, [{ sku: 'felt-piano' }]);
  expect(await post('checkout-a-classic', { ...again, body })).toMatchObject({
    status: 401,
    error: 'The security pair came before with another body.',
  });
  await delivered(3);
});

it('the command says where strict changes nothing', async () => {
  const { environment, shop } = await openTradingShop(shared());
  const set = async (platform: string) => {
    const words = [
      '--org',
      shop.orgId,
      '--platform',
      platform,
      '--secret',
      'a-secret-of-32-characters-at-least',
    ];
    return (await runCliHere(environment, ['integration', 'set', ...words, '--strict'])).stdout;
  };
  expect(await set('storefront-a')).toContain(
    'Webhooks of Shopify have no such proof, so this changes nothing',
  );
  expect(await set('checkout-a-classic')).not.toContain('changes nothing');
});

it('an order that comes line by line, each under a pair of its own, is delivered whole on a strict connection', async () => {
  const { server, shop, integrate, post, ask, log } = await openTradingShop(shared());
  await integrate('checkout-a-classic', ['--secret', 'first-rule', '--strict']);
  await integrate('checkout-a-classic', ['--secret', 'second-rule'], 'add-secret');
  const other = await ask<{ readonly id: string }>('/products', 'POST', { name: 'Held', slug: 'held' });
  expect(other.id).toMatch(/-/);
  for (const [at, sku] of ['felt-piano', 'held'].entries()) {
    const body = sampleOrder({ orderId: 'EXA-7' }, [{ sku }]);
    const secret = ['first-rule', 'second-rule'][at] ?? '';
    const headers = signForTest(secret, `${Date.now()}EXA-7buyer@example.com`);
    expect((await post('checkout-a-classic', { body, headers, query: {} })).status).toBe(200);
  }
  const entries = await until(async () => {
    const found = await log();
    return found.every(({ status }) => status !== 'pending') && found;
  });
  expect(entries.map(({ status, note }) => [status, note])).toEqual([
    ['held', null],
    ['success', null],
  ]);
  expect(await listPurchases(server.url, shop.apiKey)).toHaveLength(1);
});

it('a connection ignores test orders, and delivers one again once it no longer does, in its own currency', async () => {
  const { server, shop, integrate, post, ask, log } = await openTradingShop(shared());
  await integrate('storefront-a', ['--ignore-test-orders', '--default-currency', 'chf']);
  const body = sampleShopifyOrder({ test: true, currency: undefined }, [{ sku: 'felt-piano' }]);
  const headers = signShopify('the-signing-secret-of-the-shop', body);
  const { deliveryId } = await post('storefront-a', { body, headers, query: {} });
  expect(await log()).toMatchObject([
    { status: 'ignored', reason: 'It is a test order, and this connection ignores those.' },
  ]);
  expect(await listPurchases(server.url, shop.apiKey)).toEqual([]);
  const rules = await integrate('storefront-a', ['--no-ignore-test-orders']);
  expect(rules).toMatchObject({
    rules: { strict: false, ignoreTestOrders: false, defaultCurrency: 'CHF' },
  });
  await ask(`/deliveries/${deliveryId}/redeliver`, 'POST');
  expect(await listPurchases(server.url, shop.apiKey)).toMatchObject([{ currency: 'CHF' }]);
});

it('what was rejected on any platform is delivered exactly once after the right secret is set', async () => {
  const { server, shop, integrate, post, log, mailServer } = await openTradingShop(shared());
  const platforms = Object.entries(SIGNERS).filter(([platform]) => platform !== 'storefront-a');
  for (const [at, [platform, sign]] of platforms.entries()) {
    const sale = { ...SALE, orderId: `80${at}`, email: `buyer-${at}@example.com` };
    for (const secret of [`right-secret-of-${platform}`, `wrong-${platform}`]) {
      expect((await post(platform, sign(secret, sale))).status).toBe(401);
    }
    const deliver = () =>
      integrate<Said>(platform, ['--secret', `right-secret-of-${platform}`, '--deliver-rejected']);
    if (at === 0) {
      const other = await integrate<Said>(platform, ['--secret', 'neither-of-the-two', '--deliver-rejected']);
      expect(other).toMatchObject({ rejectedThatVerify: 0, delivered: 0 });
      // On a busy machine, the response may come before the rejected request is stored.
      const right = await until(async () => {
        const said = await integrate<Said>(platform, ['--secret', `right-secret-of-${platform}`]);
        return said.rejectedThatVerify > 0 && said;
      });
      expect(right).toMatchObject({ rejectedThatVerify: 1, delivered: 0 });
    }
    expect([platform, await deliver()]).toMatchObject([platform, { rejectedThatVerify: 1, delivered: 1 }]);
    if (at === 0) expect(await deliver()).toMatchObject({ rejectedThatVerify: 0, delivered: 0 });
  }
  const purchases = await until(async () => {
    const listed = await listPurchases(server.url, shop.apiKey);
    return listed.length === platforms.length && listed;
  });
  expect(purchases.map(({ customerEmail }) => customerEmail).sort()).toEqual(
    platforms.map((_, at) => `buyer-${at}@example.com`),
  );
  const today = new Date().toISOString().slice(0, 10);
  const notes = new Set(
    (await log()).map(({ note }) => note?.replace(/^(Rejected on \S+,.*?set\.).*/, '$1')),
  );
  expect([...notes]).toEqual([`Rejected on ${today}, delivered after the secret was set.`]);
  await mailServer.waitForMails(platforms.length);
});

it('a request that an added secret signed is accepted, and the command says so', async () => {
  const { environment, shop, post, integrate } = await openTradingShop(shared());
  const sign = SIGNERS['storefront-b'];
  if (!sign) throw new Error('There is no signer.');
  await integrate('storefront-b', ['--secret', 'first-secret']);
  await post('storefront-b', sign('second-secret', SALE));
  const words = ['--org', shop.orgId, '--platform', 'storefront-b', '--secret', 'second-secret'];
  const plain = await runCli(environment, ['integration', 'add-secret', ...words]);
  expect([plain.code, plain.stderr]).toEqual([0, '']);
  expect(plain.stdout).toContain('is added to those it has');
  expect(plain.stdout).toContain('1 delivery rejected within the last 7 days');
  expect(plain.stdout).toContain('--deliver-rejected');
  const again = ['integration', 'add-secret', ...words, '--deliver-rejected'];
  expect(await runCliForJson(environment, again)).toMatchObject({
    added: false,
    connection: 'main',
    rejectedThatVerify: 1,
    delivered: 1,
  });
  for (const secret of ['first-secret', 'second-secret']) {
    expect((await post('storefront-b', sign(secret, SALE))).status).toBe(200);
  }
});
