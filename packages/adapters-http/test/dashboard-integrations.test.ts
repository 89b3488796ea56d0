import type { HttpPorts } from '@handover/adapters-http';
import { mapAccount, setIntegrationSecret, unmapAccount } from '@handover/domain';
import { storefrontA } from '@handover/platform-storefront-a';
import { signedSample } from '@handover/platform-storefront-a/testing';
import { openShop } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { connectSecondShop } from './connect-second-shop.ts';
import { decodeHtml, openDashboard } from './open-dashboard.ts';
import { openSettings } from './open-settings.ts';
import { SALE, send } from './send-webhook.ts';

const ROOT = '/dashboard/settings/integrations';
const SHOPIFY = `${ROOT}/storefront-a`;

/** A genuine order, signed with a secret that is not set here. */
const FOREIGN = signedSample('another-secret', SALE);

describe('the integrations', () => {
  test('list all platforms with their state', async () => {
    const settings = await openSettings();
    const before = (await settings.owner.get(ROOT)).body;
    expect(before).toMatch(/Shopify[\s\S]*No order yet[\s\S]*Ready for orders/);
    expect(before).toMatch(/WooCommerce[\s\S]*Not set up/);
    await send(settings);
    expect(before).not.toContain('Working');
    expect((await settings.owner.get(ROOT)).body).toMatch(/Shopify[\s\S]*Working[\s\S]*Last order/);
    settings.clock.advance(1000);
    expect((await send(settings, FOREIGN)).statusCode).toBe(401);
    expect((await settings.owner.get(ROOT)).body).toMatch(/Rejecting[\s\S]*1 rejected delivery/);
  });

  test('do not say of two shops that they work while one has received nothing', async () => {
    const settings = await openSettings();
    await send(settings);
    await connectSecondShop(settings);
    const { body } = await settings.owner.get(ROOT);
    expect(body).toMatch(/Shopify<\/strong> <[^>]*>[\s\S]{0,400}?No order yet/);
    expect(body).toContain('2 shops, 1 without an order yet · last order');
  });

  test('keep rejected deliveries in view once a genuine one arrived', async () => {
    const settings = await openSettings();
    await send(settings, FOREIGN);
    settings.clock.advance(60_000);
    await send(settings, signedSample('test-secret', { ...SALE, orderId: '77' }));
    expect((await settings.owner.get(ROOT)).body).toMatch(/Working[\s\S]{0,300}?1 rejected delivery/);
  });

  test('name every vendor that can send to an address, and the id that its orders need', async () => {
    const { owner, shop } = await openSettings();
    expect((await owner.get(ROOT)).body).toMatch(/SamCart[\s\S]*Also ThriveCart and UltraCart/);
    expect((await owner.get(`${ROOT}/payments-a`)).body).toContain(
      `put <code>org_id</code> into the metadata as well: <code>${shop.orgId}</code>`,
    );
  });

  test('open with the most urgent platform, otherwise with one that is set up', async () => {
    const woo = { ...storefrontA, label: 'storefront-b' } as const;
    const dashboard = await openDashboard(() => ({}), { platforms: [storefrontA, woo] });
    const admin = await dashboard.signIn('admin');
    const opened = async () => /platform-head"><div><h2>([^<]+)</.exec((await admin.get(ROOT)).body)?.[1];
    expect(await opened()).toBe('Shopify');
    const fastSpring = {
      orgId: dashboard.shop.orgId,
      platform: 'checkout-a',
      name: 'main',
      secret: 'a-secret-of-ours',
    };
    await setIntegrationSecret(dashboard.ports, fastSpring);
    await send(dashboard);
    expect(await opened()).toBe('Shopify');
    const { headers, body } = FOREIGN;
    const url = `/webhooks/${dashboard.shop.orgId}/storefront-b`;
    const answer = await dashboard.app.inject({ method: 'POST', url, headers, payload: Buffer.from(body) });
    expect(answer.statusCode).toBe(401);
    expect(await opened()).toBe('WooCommerce');
  });

  test('show the rejected requests of a platform with several shops once', async () => {
    const settings = await openSettings();
    await settings.owner.submit(SHOPIFY, `${SHOPIFY}/secret`, { name: 'US shop', secret: 'us-secret' });
    expect((await settings.owner.get(ROOT)).body).toContain('2 shops');
    await send(settings, FOREIGN);
    const { body } = await settings.owner.get(ROOT);
    const [list = ''] = /<nav aria-label="Platforms">[\s\S]*?<\/nav>/.exec(body) ?? [];
    expect(list.match(/1 rejected delivery/g)).toHaveLength(1);
    expect((await settings.owner.get(SHOPIFY)).body).toContain(
      '1 rejected delivery kept from the last 7 days',
    );
  });

  test('show a shop to be added beside the others, in place of the button that adds one', async () => {
    const settings = await openSettings();
    expect((await settings.owner.get(SHOPIFY)).body).toContain('Add a shop');
    const { body } = await settings.owner.get(`${SHOPIFY}?new`);
    const [tabs = ''] = /<nav [^>]*aria-label="Shops">[\s\S]*?<\/nav>/.exec(body) ?? [];
    expect(tabs).toMatch(/main[\s\S]*aria-current="page">New shop</);
    expect(tabs.match(/aria-current/g)).toHaveLength(1);
    expect(body).not.toContain('Add a shop');
    // The one thing to do there.
    expect(body).toMatch(/<button class="btn" type="submit" name="action" value="replace">Set the secret</);
  });

  test('lead from a platform back to all of them, before its heading', async () => {
    const { owner } = await openSettings();
    const back = /<a class="back" href="([^"]*)">[\s\S]*?All platforms<\/a>[\s\S]*<h1>/;
    expect(back.exec((await owner.get(SHOPIFY)).body)?.[1]).toBe(ROOT);
    expect((await owner.get(ROOT)).body).not.toContain('All platforms');
  });

  test('show a platform’s address, steps and shops, and never a secret', async () => {
    const settings = await openSettings();
    const { body } = await settings.owner.get(SHOPIFY);
    expect(body).toContain(`http://shop.test/webhooks/${settings.shop.orgId}/storefront-a`);
    expect(body).toContain('Notifications');
    expect(body).not.toContain('test-secret');
    expect((await settings.owner.get(`${ROOT}/nowhere`)).statusCode).toBe(404);
  });

  test('show the content template where the merchant chooses the body', async () => {
    const classic = {
      ...storefrontA,
      label: 'checkout-a-classic',
      contentTemplate: '{"orderId":"#{o}"}',
    } as const;
    const dashboard = await openDashboard(() => ({}), { platforms: [storefrontA, classic] });
    const { body } = await (await dashboard.signIn('admin')).get(`${ROOT}/checkout-a-classic`);
    expect(decodeHtml(body)).toContain('<code>{"orderId":"#{o}"}</code>');
  });

  test('have no secret form for the shared platform', async () => {
    const settings = await openSettings();
    const { body } = await settings.owner.get(`${ROOT}/payments-a`);
    expect(body).toContain('http://shop.test/webhooks/payments-a');
    expect(body).not.toContain('name="secret"');
    expect(body).not.toContain('whsec_current');
    const refused = await settings.owner.submit(SHOPIFY, `${ROOT}/payments-a/secret`, {
      name: 'x',
      secret: 'y',
    });
    expect(refused.statusCode).toBe(400);
  });
});

describe('an account of the shared platform', () => {
  const STRIPE = `${ROOT}/payments-a`;

  async function openAccount() {
    const settings = await openSettings();
    const { orgId } = settings.shop;
    const map = (account: string) =>
      mapAccount({ ...settings.ports, ...settings.stores }, { orgId, account });
    await map('acct_1');
    const listed = async () =>
      /Stripe<\/strong> <span[^>]*><svg.*?<\/svg>([^<]+)/.exec((await settings.owner.get(ROOT)).body)?.[1];
    return { ...settings, map, listed };
  }

  test('that is disconnected shows what happens to its orders, and how to reconnect it', async () => {
    const account = await openAccount();
    expect([await account.listed(), (await account.owner.get(STRIPE)).body]).toEqual([
      'No order yet',
      expect.not.stringContaining('account map'),
    ]);
    await unmapAccount(account.stores, 'acct_1');
    expect(await account.listed()).toBe('Unmapped');
    const page = decodeHtml((await account.owner.get(STRIPE)).body);
    expect(page).toContain('acct_1 is no longer mapped to your organisation');
    expect(page).toContain('held until the operator of this service maps it again');
    expect(page).toContain(`handover account map --org ${account.shop.orgId} --account acct_1</code>`);
    await account.map('acct_1');
    expect([await account.listed(), (await account.owner.get(STRIPE)).body]).toEqual([
      'No order yet',
      expect.not.stringContaining('account map'),
    ]);
  });

  test('that is disconnected does not determine the state while another one works', async () => {
    const account = await openAccount();
    await account.map('acct_2');
    await unmapAccount(account.stores, 'acct_1');
    expect(await account.listed()).toBe('No order yet');
    const { body } = await account.owner.get(STRIPE);
    const [tabs = ''] = /<nav class="tabs-nav[\s\S]*?<\/nav>/.exec(body) ?? [];
    expect(tabs.match(/Unmapped/g)).toHaveLength(1);
    expect(body).not.toContain('is no longer mapped');
  });
});

describe('a rule', () => {
  test('with two values is a switch that shows its value', async () => {
    const settings = await openSettings();
    const states = async () =>
      (await settings.owner.get(SHOPIFY)).body.match(/role="switch" aria-checked="\w+"/g);
    expect(await states()).toEqual(['role="switch" aria-checked="false"']);
    const fields = { shop: settings.connectionId, ignoreTestOrders: 'on' };
    await settings.owner.submit(SHOPIFY, `${SHOPIFY}/rules`, fields);
    expect(await states()).toEqual(['role="switch" aria-checked="true"']);
  });

  test('is saved separately', async () => {
    const settings = await openSettings();
    const shop = settings.connectionId;
    await settings.owner.submit(SHOPIFY, `${SHOPIFY}/rules`, { shop, ignoreTestOrders: 'on' });
    await settings.owner.submit(SHOPIFY, `${SHOPIFY}/rules`, { shop, defaultCurrency: 'eur' });
    const [main] =
      (await settings.stores.connections.list(settings.shop.orgId, 'storefront-a', settings.clock.now())) ??
      [];
    expect(main?.rules).toEqual({ strict: false, ignoreTestOrders: true, defaultCurrency: 'EUR' });
    expect((await settings.activity()).map(({ summary }) => summary)).toEqual([
      'Shopify, “main”: Orders that name no currency are in EUR.',
      'Shopify, “main”: Test orders are ignored.',
    ]);
    const wrong = await settings.owner.submit(SHOPIFY, `${SHOPIFY}/rules`, { shop, defaultCurrency: 'EURO' });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain('value="EURO"');
  });
});

describe('rejected requests', () => {
  test('that verify now are listed, and delivered', async () => {
    const settings = await openSettings();
    await send(settings, FOREIGN);
    expect((await settings.owner.get(SHOPIFY)).body).toContain('None of the secrets');
    const fields = { shop: settings.connectionId, secret: 'another-secret', action: 'replace' };
    await settings.owner.submit(SHOPIFY, `${SHOPIFY}/secret`, fields);
    expect((await settings.owner.get(SHOPIFY)).body).toContain('1 rejected delivery now verifies');
    expect((await settings.owner.get(`${SHOPIFY}?new`)).body).not.toContain('now verifies');
    const { body } = await settings.owner.get(`${SHOPIFY}/rejected`);
    expect(body).toContain('Our answer');
    expect(body).toContain('1 delivery now verifies');
    const [, asks = ''] = /href="([^"]+)"[^>]*>Deliver it</.exec(body) ?? [];
    expect((await settings.owner.get(decodeHtml(asks))).body).toContain('Deliver 1 rejected delivery?');
    await settings.owner.submit(SHOPIFY, `${SHOPIFY}/rejected`, { action: 'deliver' });
    expect((await settings.owner.get(SHOPIFY)).body).not.toContain('now verifies');
    const { orgId } = settings.shop;
    const query = { status: null, platform: null, before: null, limit: 10 };
    expect(await settings.stores.deliveries.list(orgId, query)).toHaveLength(1);
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

  test('has a published product and the signed-in user as buyer, and leads to the log', async () => {
    const { orders, ports } = sender({ kind: 'arrived', orderId: '7001', deliveryId: 'd-1' });
    const settings = await openSettings(ports);
    const fields = { shop: settings.connectionId, product: settings.shop.product.id };
    const answer = await settings.owner.submit(SHOPIFY, `${SHOPIFY}/test-order`, fields);
    expect(answer.headers.location).toBe('/dashboard/webhook-log/d-1');
    const { orgId } = settings.shop;
    const { email } = settings.owner;
    const name = 'Jana Vogel';
    expect(orders).toEqual([
      { orgId, platform: 'storefront-a', connectionId: settings.connectionId, sku: 'pads', email, name },
    ]);
    const other = await settings.owner.submit(SHOPIFY, `${SHOPIFY}/test-order`, { ...fields, product: 'x' });
    expect(other.statusCode).toBe(400);
    expect(orders).toHaveLength(1);
  });

  test('that fails shows its error beside the button', async () => {
    const settings = await openSettings(sender({ kind: 'refused', status: 401 }).ports);
    const fields = { shop: settings.connectionId, product: settings.shop.product.id };
    const answer = await settings.owner.submit(SHOPIFY, `${SHOPIFY}/test-order`, fields);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('was refused with 401');
  });
});

test('a shop of another organisation cannot be changed', async () => {
  const settings = await openSettings();
  const other = await openShop({ ...settings.ports, stores: settings.stores }, 'Other');
  const stranger = await settings.signIn('owner', other.orgId);
  const shop = settings.connectionId;
  for (const action of ['secret', 'rules', 'test-order']) {
    const fields = { shop, secret: 'mine', strict: 'on', product: settings.shop.product.id };
    const answer = await stranger.submit(SHOPIFY, `${SHOPIFY}/${action}`, fields);
    expect([action, answer.statusCode]).toEqual([action, 404]);
  }
  expect((await stranger.get(`${SHOPIFY}?shop=${shop}`)).statusCode).toBe(404);
});
