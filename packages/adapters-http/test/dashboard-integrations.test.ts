import type { HttpPorts } from '@handover/adapters-http';
import { mapAccount, unmapAccount } from '@handover/domain';
import { openShop } from '@handover/domain/testing';
import { storefrontA } from '@handover/platform-storefront-a';
import { signedSample } from '@handover/platform-storefront-a/testing';
import { describe, expect, test } from 'vitest';
import { decodeHtml, openDashboard } from './open-dashboard.ts';
import { SALE, send } from './send-webhook.ts';

const ROOT = '/dashboard/settings/integrations';
const SHOPIFY = `${ROOT}/storefront-a`;

async function openSettings(changePorts?: Parameters<typeof openDashboard>[0]) {
  const it = await openDashboard(changePorts);
  const owner = await it.signIn('owner');
  const [main] = await it.stores.connections.listFacts(it.shop.orgId, it.clock.now());
  const connectionId = main?.id ?? '';
  const activity = async () =>
    (await it.stores.activity.list(it.shop.orgId, { subjectId: null, before: null, limit: 10 }))
      .filter(({ kind }) => kind === 'integration-changed')
      .map(({ summary, actor }) => ({ summary, actor }));
  return { ...it, owner, connectionId, activity };
}

/** A genuine order, signed with a secret that is not set here. */
const FOREIGN = signedSample('another-secret', SALE);

describe('the integrations', () => {
  test('are listed with the state of each', async () => {
    const it = await openSettings();
    const before = (await it.owner.get(ROOT)).body;
    expect(before).toMatch(/Shopify[\s\S]*Working[\s\S]*no order yet/);
    expect(before).toMatch(/WooCommerce[\s\S]*Not set up/);
    await send(it);
    expect((await it.owner.get(ROOT)).body).toContain('last order');
    it.clock.advance(1000);
    expect((await send(it, FOREIGN)).statusCode).toBe(401);
    expect((await it.owner.get(ROOT)).body).toMatch(/Rejecting[\s\S]*1 rejected delivery/);
  });

  test('open with the platform that needs somebody most, else with one that is set up', async () => {
    const woo = { ...storefrontA, label: 'storefront-b' } as const;
    const it = await openDashboard(() => ({}), { platforms: [storefrontA, woo] });
    const admin = await it.signIn('admin');
    const opened = async () => /<h2>([^<]+)<\/h2><span/.exec((await admin.get(ROOT)).body)?.[1];
    expect(await opened()).toBe('Shopify');
    const { headers, body } = FOREIGN;
    const url = `/webhooks/${it.shop.orgId}/storefront-b`;
    const answer = await it.app.inject({ method: 'POST', url, headers, payload: Buffer.from(body) });
    expect(answer.statusCode).toBe(401);
    expect(await opened()).toBe('WooCommerce');
  });

  test('say of a platform with several shops once what was rejected', async () => {
    const it = await openSettings();
    await it.owner.submit(SHOPIFY, `${SHOPIFY}/secret`, { name: 'US shop', secret: 'us' });
    expect((await it.owner.get(ROOT)).body).toContain('2 shops');
    await send(it, FOREIGN);
    const { body } = await it.owner.get(ROOT);
    const [list = ''] = /<nav aria-label="Platforms">[\s\S]*?<\/nav>/.exec(body) ?? [];
    expect(list.match(/1 rejected delivery/g)).toHaveLength(1);
    expect((await it.owner.get(SHOPIFY)).body).toContain('1 rejected in the last 7 days');
  });

  test('show a platform’s address, steps and shops, and never a secret', async () => {
    const it = await openSettings();
    const { body } = await it.owner.get(SHOPIFY);
    expect(body).toContain(`http://shop.test/webhooks/${it.shop.orgId}/storefront-a`);
    expect(body).toContain('Notifications');
    expect(body).not.toContain('test-secret');
    expect((await it.owner.get(`${ROOT}/nowhere`)).statusCode).toBe(404);
  });

  test('show what to paste as content where the body is the merchant’s', async () => {
    const classic = {
      ...storefrontA,
      label: 'checkout-a-classic',
      contentTemplate: '{"orderId":"#{o}"}',
    } as const;
    const it = await openDashboard(() => ({}), { platforms: [storefrontA, classic] });
    const { body } = await (await it.signIn('admin')).get(`${ROOT}/checkout-a-classic`);
    expect(decodeHtml(body)).toContain('<code>{"orderId":"#{o}"}</code>');
  });

  test('have nothing to set for the platform whose secret the service holds', async () => {
    const it = await openSettings();
    const { body } = await it.owner.get(`${ROOT}/payments-a`);
    expect(body).toContain('http://shop.test/webhooks/payments-a');
    expect(body).not.toContain('name="secret"');
    expect(body).not.toContain('whsec_current');
    const refused = await it.owner.submit(SHOPIFY, `${ROOT}/payments-a/secret`, { name: 'x', secret: 'y' });
    expect(refused.statusCode).toBe(400);
  });
});

describe('an account of the shared platform', () => {
  const STRIPE = `${ROOT}/payments-a`;

  async function openAccount() {
    const it = await openSettings();
    const { orgId } = it.shop;
    const map = (account: string) => mapAccount({ ...it.ports, ...it.stores }, { orgId, account });
    await map('acct_1');
    const listed = async () =>
      /Stripe<\/strong> <span[^>]*><svg.*?<\/svg>([^<]+)/.exec((await it.owner.get(ROOT)).body)?.[1];
    return { ...it, map, listed };
  }

  test('that was taken away is said to be, with what becomes of its orders and how it comes back', async () => {
    const it = await openAccount();
    expect([await it.listed(), (await it.owner.get(STRIPE)).body]).toEqual([
      'Working',
      expect.not.stringContaining('account map'),
    ]);
    await unmapAccount(it.stores, 'acct_1');
    expect(await it.listed()).toBe('Unmapped');
    const page = decodeHtml((await it.owner.get(STRIPE)).body);
    expect(page).toContain('acct_1 is no longer mapped to your organisation');
    expect(page).toContain('kept unassigned until whoever runs this service maps it again');
    expect(page).toContain(`-- account map --org ${it.shop.orgId} --account acct_1</code>`);
    await it.map('acct_1');
    expect([await it.listed(), (await it.owner.get(STRIPE)).body]).toEqual([
      'Working',
      expect.not.stringContaining('account map'),
    ]);
  });

  test('that was taken away does not speak for one that works', async () => {
    const it = await openAccount();
    await it.map('acct_2');
    await unmapAccount(it.stores, 'acct_1');
    expect(await it.listed()).toBe('Working');
    const { body } = await it.owner.get(STRIPE);
    const [tabs = ''] = /<nav class="tabs-nav[\s\S]*?<\/nav>/.exec(body) ?? [];
    expect(tabs.match(/Unmapped/g)).toHaveLength(1);
    expect(body).not.toContain('is no longer mapped');
  });
});

describe('a secret', () => {
  test('is replaced, said when, and noted without being told', async () => {
    const it = await openSettings();
    const shop = it.connectionId;
    const answer = await it.owner.submit(SHOPIFY, `${SHOPIFY}/secret`, {
      shop,
      secret: 'brand-new',
      deed: 'replace',
    });
    expect(answer.headers.location).toBe(`${SHOPIFY}?shop=${shop}`);
    const { body } = await it.owner.get(SHOPIFY);
    expect(body).toContain('goes on working until');
    expect(body).not.toContain('brand-new');
    expect(await it.activity()).toEqual([
      { summary: 'The secret of Shopify, “main”, was replaced.', actor: it.owner.email },
    ]);
    expect((await send(it, signedSample('brand-new', SALE))).statusCode).toBe(200);
    expect(JSON.stringify(it.log.lines)).not.toContain('brand-new');
  });

  test('is added beside the one that lasts', async () => {
    const it = await openSettings();
    const fields = { shop: it.connectionId, secret: 'second', deed: 'add' };
    await it.owner.submit(SHOPIFY, `${SHOPIFY}/secret`, fields);
    expect((await it.owner.get(SHOPIFY)).body).toContain('2 secrets are valid');
  });

  test('that cannot be is refused, and not sent back', async () => {
    const it = await openSettings();
    const secret = 'x'.repeat(1001);
    const fields = { shop: it.connectionId, secret, deed: 'replace' };
    const answer = await it.owner.submit(SHOPIFY, `${SHOPIFY}/secret`, fields);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('at most 1,000 characters');
    expect(answer.body).not.toContain(secret);
    expect(await it.activity()).toEqual([]);
  });

  test('makes a shop of a new name, and of no name that is taken', async () => {
    const it = await openSettings();
    const added = await it.owner.submit(SHOPIFY, `${SHOPIFY}/secret`, { name: 'US shop', secret: 'us' });
    expect(added.statusCode).toBe(303);
    expect((await it.owner.get(SHOPIFY)).body).toContain('<bdi>US shop</bdi>');
    const taken = await it.owner.submit(SHOPIFY, `${SHOPIFY}/secret`, { name: ' main ', secret: 'us' });
    expect(taken.statusCode).toBe(400);
    expect(taken.body).toContain('a shop of that name already');
  });

  describe('that is part of the URL', () => {
    const CART = `${ROOT}/cart-a`;
    const offeredIn = (body: string) => {
      const [, url = ''] = /<code>([^<]*\?secret=[^<]+)<\/code>/.exec(decodeHtml(body)) ?? [];
      return new URL(url).searchParams.get('secret') ?? '';
    };
    const secretsOf = async (it: Awaited<ReturnType<typeof openSettings>>) =>
      (await it.stores.connections.list(it.shop.orgId, 'cart-a', it.clock.now()))?.[0]?.secrets;

    test('is offered within it, set, and shown no more', async () => {
      const it = await openSettings();
      const { body } = await it.owner.get(CART);
      const offered = offeredIn(body);
      expect(body).toContain(`name="offered" value="${offered}"`);
      expect(await secretsOf(it)).toBeUndefined();
      const fields = { name: 'main', secret: '', offered, deed: 'replace' };
      const answer = await it.owner.submit(CART, `${CART}/secret`, fields);
      expect(answer.statusCode).toBe(303);
      expect(answer.headers.location).not.toContain(offered);
      expect(await secretsOf(it)).toEqual([offered]);
      expect((await it.owner.get(answer.headers.location ?? '')).body).not.toContain(offered);
      expect(JSON.stringify([it.log.lines, await it.activity()])).not.toContain(offered);
    });

    test('is the same at every visit until it is set, and another for the next time', async () => {
      const it = await openSettings();
      const offers = async (path = CART) => offeredIn((await it.owner.get(path)).body);
      const [one, again] = [await offers(), await offers()];
      expect(again).toBe(one);
      await it.owner.submit(CART, `${CART}/secret`, { name: 'main', offered: one, deed: 'replace' });
      const [next, forAnotherShop] = [await offers(), await offers(`${CART}?new`)];
      expect(new Set([one, next, forAnotherShop]).size).toBe(3);
      expect([await offers(), await offers(`${CART}?new`)]).toEqual([next, forAnotherShop]);
    });

    test('may be one’s own', async () => {
      const it = await openSettings();
      const offered = offeredIn((await it.owner.get(CART)).body);
      const fields = { name: 'main', secret: ' my-own ', offered, deed: 'replace' };
      await it.owner.submit(CART, `${CART}/secret`, fields);
      expect(await secretsOf(it)).toEqual(['my-own']);
    });

    test('that was set for one shop is not set for a second one', async () => {
      const it = await openSettings();
      const offered = offeredIn((await it.owner.get(CART)).body);
      const set = (name: string) =>
        it.owner.submit(CART, `${CART}/secret`, { name, offered, deed: 'replace' });
      expect((await set('EU')).statusCode).toBe(303);
      const refused = await set('US');
      expect(refused.statusCode).toBe(400);
      expect(decodeHtml(refused.body)).toContain('belongs to “EU” by now');
      expect(offeredIn(refused.body)).not.toBe(offered);
      expect(await it.stores.connections.list(it.shop.orgId, 'cart-a', it.clock.now())).toHaveLength(1);
    });

    test('stays the one that is offered when the form cannot be taken', async () => {
      const it = await openSettings();
      const fields = { name: '', secret: '', offered: 'copied-already', deed: 'replace' };
      const answer = await it.owner.submit(CART, `${CART}/secret`, fields);
      expect(answer.statusCode).toBe(400);
      expect(offeredIn(answer.body)).toBe('copied-already');
      expect(await secretsOf(it)).toBeUndefined();
    });
  });
});

describe('rules', () => {
  test('of yes or no are switches that say how they are', async () => {
    const it = await openSettings();
    const states = async () => (await it.owner.get(SHOPIFY)).body.match(/role="switch" aria-checked="\w+"/g);
    expect(await states()).toEqual(['role="switch" aria-checked="false"']);
    const fields = { shop: it.connectionId, ignoreTestOrders: 'on' };
    await it.owner.submit(SHOPIFY, `${SHOPIFY}/rules`, fields);
    expect(await states()).toEqual(['role="switch" aria-checked="true"']);
  });

  test('are saved one by one', async () => {
    const it = await openSettings();
    const shop = it.connectionId;
    await it.owner.submit(SHOPIFY, `${SHOPIFY}/rules`, { shop, ignoreTestOrders: 'on' });
    await it.owner.submit(SHOPIFY, `${SHOPIFY}/rules`, { shop, defaultCurrency: 'eur' });
    const [main] = (await it.stores.connections.list(it.shop.orgId, 'storefront-a', it.clock.now())) ?? [];
    expect(main?.rules).toEqual({ strict: false, ignoreTestOrders: true, defaultCurrency: 'EUR' });
    expect((await it.activity()).map(({ summary }) => summary)).toEqual([
      'Shopify, “main”: Orders that name no currency are in EUR.',
      'Shopify, “main”: Test orders are ignored.',
    ]);
    const wrong = await it.owner.submit(SHOPIFY, `${SHOPIFY}/rules`, { shop, defaultCurrency: 'EURO' });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain('value="EURO"');
  });
});

describe('rejected deliveries', () => {
  test('that verify now are looked at, and brought in', async () => {
    const it = await openSettings();
    await send(it, FOREIGN);
    expect((await it.owner.get(SHOPIFY)).body).toContain('None of the secrets');
    const fields = { shop: it.connectionId, secret: 'another-secret', deed: 'replace' };
    await it.owner.submit(SHOPIFY, `${SHOPIFY}/secret`, fields);
    expect((await it.owner.get(SHOPIFY)).body).toContain('1 rejected delivery verifies with the new secret');
    expect((await it.owner.get(`${SHOPIFY}/rejected`)).body).toContain('What its sender was told');
    await it.owner.submit(SHOPIFY, `${SHOPIFY}/rejected`);
    expect((await it.owner.get(SHOPIFY)).body).not.toContain('with the new secret');
    const { orgId } = it.shop;
    const query = { status: null, platform: null, before: null, limit: 10 };
    expect(await it.stores.deliveries.list(orgId, query)).toHaveLength(1);
  });
});

describe('a test order', () => {
  const sender = (sent: Awaited<ReturnType<HttpPorts['sampleOrders']['send']>>) => {
    const orders: Parameters<HttpPorts['sampleOrders']['send']>[0][] = [];
    const send: HttpPorts['sampleOrders']['send'] = async (order) => {
      orders.push(order);
      return sent;
    };
    return { orders, ports: () => ({ sampleOrders: { send } }) };
  };

  test('goes out for a published product with the visitor as buyer, and leads to the log', async () => {
    const { orders, ports } = sender({ kind: 'arrived', orderId: '7001', deliveryId: 'd-1' });
    const it = await openSettings(ports);
    const fields = { shop: it.connectionId, product: it.shop.product.id };
    const answer = await it.owner.submit(SHOPIFY, `${SHOPIFY}/test-order`, fields);
    expect(answer.headers.location).toBe('/dashboard/webhook-log/d-1');
    const { orgId } = it.shop;
    const { email } = it.owner;
    expect(orders).toEqual([
      { orgId, platform: 'storefront-a', connectionId: it.connectionId, sku: 'pads', email },
    ]);
    const other = await it.owner.submit(SHOPIFY, `${SHOPIFY}/test-order`, { ...fields, product: 'x' });
    expect(other.statusCode).toBe(400);
    expect(orders).toHaveLength(1);
  });

  test('that does not arrive is said where it was sent', async () => {
    const it = await openSettings(sender({ kind: 'refused', status: 401 }).ports);
    const fields = { shop: it.connectionId, product: it.shop.product.id };
    const answer = await it.owner.submit(SHOPIFY, `${SHOPIFY}/test-order`, fields);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('was refused with 401');
  });
});

test('nothing is done to a shop of another organisation', async () => {
  const it = await openSettings();
  const other = await openShop({ ...it.ports, stores: it.stores }, 'Other');
  const stranger = await it.signIn('owner', other.orgId);
  const shop = it.connectionId;
  for (const deed of ['secret', 'rules', 'test-order']) {
    const fields = { shop, secret: 'mine', strict: 'on', product: it.shop.product.id };
    const answer = await stranger.submit(SHOPIFY, `${SHOPIFY}/${deed}`, fields);
    expect([deed, answer.statusCode]).toEqual([deed, 404]);
  }
  expect((await stranger.get(`${SHOPIFY}?shop=${shop}`)).statusCode).toBe(404);
});
