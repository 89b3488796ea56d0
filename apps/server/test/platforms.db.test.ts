import { OUR_PLATFORMS } from '@handover/domain';
import { signedSample as signCartA } from '@handover/platform-cart-a/testing';
import { signedSample as signCheckoutA } from '@handover/platform-checkout-a/testing';
import { signedSample as signCheckoutAClassic } from '@handover/platform-checkout-a-classic/testing';
import type { SampleSale, SignedRequest } from '@handover/platform-contract/testing';
import { signedSample as signPaymentsA } from '@handover/platform-payments-a/testing';
import { signedSample as signStorefrontA } from '@handover/platform-storefront-a/testing';
import { signedSample as signStorefrontB } from '@handover/platform-storefront-b/testing';
import pino from 'pino';
import { expect, it } from 'vitest';
import { compose } from '../src/composition/composition.ts';
import { openInfrastructure } from '../src/composition/open-infrastructure.ts';
import { createSampleOrders } from '../src/composition/sample-orders.ts';
import { readSettings } from '../src/settings/settings.ts';
import { receiptsAmong } from './support/mail-server.ts';
import { runCliForJson } from './support/server-process.ts';
import { openOwnShop, shareServer } from './support/shared-server.ts';
import { listPurchases, until } from './support/shop.ts';

interface Tried {
  readonly sign: (secret: string, sale: SampleSale) => SignedRequest;
  /** The vendor's names of our neutral headers. */
  readonly vendorNames: Readonly<Record<string, string>>;
  /** Whether the signature covers the body. */
  readonly signsBody: boolean;
  /** Why an unpaid order is ignored; null if the platform announces none. */
  readonly unpaid: RegExp | null;
}

const PLATFORMS: Readonly<Record<string, Tried>> = {
  'storefront-a': {
    sign: signStorefrontA,
    vendorNames: {
      'x-storefront-a-hmac-sha256': 'x-shopify-hmac-sha256',
      'x-storefront-a-topic': 'x-shopify-topic',
    },
    signsBody: true,
    unpaid: /not paid yet/,
  },
  'storefront-b': {
    sign: signStorefrontB,
    vendorNames: {
      'x-storefront-b-webhook-signature': 'x-wc-webhook-signature',
      'x-storefront-b-webhook-topic': 'x-wc-webhook-topic',
    },
    signsBody: true,
    unpaid: /not paid yet/,
  },
  'checkout-a': {
    sign: signCheckoutA,
    vendorNames: { 'x-checkout-a-signature': 'x-fs-signature' },
    signsBody: true,
    unpaid: /not paid yet/,
  },
  'checkout-a-classic': {
    sign: signCheckoutAClassic,
    vendorNames: {},
    signsBody: false,
    unpaid: /not completed/,
  },
  'cart-a': { sign: signCartA, vendorNames: {}, signsBody: false, unpaid: null },
  'payments-a': {
    sign: signPaymentsA,
    vendorNames: { 'payments-a-signature': 'stripe-signature' },
    signsBody: true,
    unpaid: /not paid/,
  },
};

const secretOf = (platform: string, name = 'main') => `secret-of-${platform}-${name}`;

const shared = shareServer({ PAYMENTS_A_SIGNING_SECRET: secretOf('payments-a') });

async function openPlatforms(platforms: readonly string[] = Object.keys(PLATFORMS)) {
  const { mailServer, environment, server, shop } = await openOwnShop(shared());
  const run = <T>(words: readonly string[]) =>
    runCliForJson<T>({ ...environment, SITE_URL: server.url }, words);
  const setSecret = (platform: string, name = 'main') =>
    run([
      ...['integration', 'set', '--org', shop.orgId, '--platform', platform],
      ...['--name', name, '--secret', secretOf(platform, name)],
    ]);
  for (const platform of platforms) if (platform !== 'payments-a') await setSecret(platform);
  const simulate = (platform: string, words: readonly string[]) =>
    run<Simulated>(['simulate', platform, '--org', shop.orgId, ...words]);
  return { mailServer, server, shop, environment, setSecret, simulate };
}

/** The parts of the installation, beside its running server. */
async function openHere(environment: Readonly<Record<string, string>>) {
  const read = readSettings(environment);
  if ('problems' in read) throw new Error('The settings of the test do not fit.');
  const holder = { kind: 'command', what: 'a test' } as const;
  const infrastructure = await openInfrastructure(read.settings, pino({ level: 'silent' }), holder);
  const composition = compose(infrastructure);
  const close = async () => {
    await composition.resolve('database').close();
    await infrastructure.close();
  };
  return { composition, settings: read.settings, close };
}

interface Sent {
  readonly status: number;
  readonly entry: { readonly status: string; readonly reason: string | null; readonly note: string | null };
}

interface Simulated extends Sent {
  readonly orderId: string;
  readonly again: Sent | null;
}

it('simulate: an order of each platform becomes one purchase and one mail, though it is sent twice', async () => {
  const { mailServer, server, shop, simulate } = await openPlatforms();
  const platforms = Object.keys(PLATFORMS);
  for (const [at, platform] of platforms.entries()) {
    const sale = ['--sku', 'felt-piano', '--email', `buyer-${at}@example.com`, '--order', String(7000 + at)];
    const sent = await simulate(platform, [...sale, '--redeliver']);
    expect({ platform, ...sent }).toMatchObject({
      platform,
      status: 200,
      entry: { status: 'success', lines: [{ outcome: 'delivered' }] },
      again: {
        status: 200,
        entry: { status: 'success', note: expect.stringContaining('Already delivered.') },
      },
    });
  }
  const mails = await mailServer.waitForMails(platforms.length);
  const purchases = await listPurchases(server.url, shop.apiKey);
  expect(purchases.map(({ customerEmail }) => customerEmail).sort()).toEqual(
    platforms.map((_, at) => `buyer-${at}@example.com`),
  );
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(platforms.length);
  expect(mailServer.mails).toHaveLength(platforms.length);
  expect(server.printed()).not.toContain('secret-of-');
});

it('simulate: an unknown or unpaid order delivers nothing, and the log says why', async () => {
  const { mailServer, server, shop, simulate } = await openPlatforms();
  for (const [platform, { unpaid }] of Object.entries(PLATFORMS)) {
    const unknown = await simulate(platform, ['--unknown-sku']);
    const reason = expect.stringMatching(/^No product is known for SKU sample-unknown-/);
    expect({ platform, ...unknown }).toMatchObject({ platform, entry: { status: 'error', reason } });
    const unpaidOrder = simulate(platform, ['--sku', 'felt-piano', '--unpaid']);
    if (unpaid === null) await expect(unpaidOrder).rejects.toThrow('announces an order only once it is paid');
    else {
      const ignored = { status: 'ignored', reason: expect.stringMatching(unpaid) };
      expect({ platform, ...(await unpaidOrder) }).toMatchObject({ platform, entry: ignored });
    }
  }
  expect(await listPurchases(server.url, shop.apiKey)).toEqual([]);
  expect(receiptsAmong(mailServer.mails)).toEqual([]);
});

it('simulate: sends as the shop that is named, and two shops may have an order of the same number', async () => {
  const { server, shop, setSecret, simulate } = await openPlatforms(['storefront-b']);
  await setSecret('storefront-b', 'second');
  const sale = ['--sku', 'felt-piano', '--order', '727'];
  await simulate('storefront-b', sale);
  const second = await simulate('storefront-b', [...sale, '--connection', 'second']);
  expect(second).toMatchObject({ entry: { status: 'success', lines: [{ outcome: 'delivered' }] } });
  expect((await listPurchases(server.url, shop.apiKey)).map(({ orderId }) => orderId)).toEqual([
    '727',
    '727',
  ]);
  await expect(simulate('storefront-b', [...sale, '--connection', 'third'])).rejects.toThrow(
    'WooCommerce (storefront-b) has no connection “third” here. It has “main”, “second”.',
  );
  await expect(simulate('storefront-b', [])).rejects.toThrow('Say what is bought: --sku, or --unknown-sku.');
});

it('a paid order of each platform delivers under our header and under the vendor’s own, and is refused if it was changed', async () => {
  const { server, shop } = await openPlatforms();
  const send = async (platform: string, { headers, body, query }: SignedRequest) => {
    const path = platform === 'payments-a' ? platform : `${shop.orgId}/${platform}`;
    const address = new URL(`${server.url}/webhooks/${path}`);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    return (await fetch(address, { method: 'POST', headers, body: Buffer.from(body) })).status;
  };
  const expected: string[] = [];
  for (const [at, [platform, { sign, vendorNames, signsBody }]] of Object.entries(PLATFORMS).entries()) {
    const sale = (orderId: number) =>
      sign(secretOf(platform), {
        orderId: String(orderId),
        email: `${orderId}@example.com`,
        sku: 'felt-piano',
        orgId: shop.orgId,
      });
    const asOurs = sale(8000 + at);
    const genuine = sale(8100 + at);
    const renamed = Object.entries(genuine.headers).map(([name, value]) => [
      vendorNames[name] ?? name,
      value,
    ]);
    const asVendors = { ...genuine, headers: Object.fromEntries(renamed) };
    expect([platform, await send(platform, asOurs), await send(platform, asVendors)]).toEqual([
      platform,
      200,
      200,
    ]);
    expected.push(`${8000 + at}@example.com`, `${8100 + at}@example.com`);

    const changed = sale(8200 + at);
    const flipped = { ...changed, body: changed.body.with(-1, (changed.body.at(-1) ?? 0) ^ 1) };
    const forged = sign('guessed', { orderId: String(8300 + at), email: 'x@example.com', sku: 'felt-piano' });
    expect([platform, await send(platform, forged)]).toEqual([platform, 401]);
    if (signsBody) expect([platform, await send(platform, flipped)]).toEqual([platform, 401]);
  }
  const purchases = await until(async () => {
    const listed = await listPurchases(server.url, shop.apiKey);
    return listed.length >= expected.length && listed;
  });
  expect(purchases.map(({ customerEmail }) => customerEmail).sort()).toEqual(expected.sort());
});

it('the test request of a new storefront-b webhook is answered 200 and stores nothing', async () => {
  const { server, shop } = await openOwnShop(shared());
  const ping = (body: string) =>
    fetch(`${server.url}/webhooks/${shop.orgId}/storefront-b`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });
  const answer = await ping('webhook_id=17');
  expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
  expect((await ping('webhook_id=17&x=1')).status).toBe(401);
  const log = await fetch(`${server.url}/api/deliveries`, { headers: { 'x-api-key': shop.apiKey } });
  expect(await log.json()).toEqual([]);
});

it('a test order of the dashboard arrives from every platform that is set up, and from none that is not', async () => {
  const { server, shop, environment } = await openPlatforms();
  const { url } = server;
  const { composition, close } = await openHere({ ...environment, PORT: new URL(url).port });
  try {
    const clock = composition.resolve('clock');
    const stores = composition.resolve('stores');
    const { connections, deliveries } = stores;
    const orders = createSampleOrders({
      stores,
      clock,
      sharedSecretSettings: composition.resolve('sharedSecretSettings'),
      marks: composition.resolve('testOrderMarks'),
      webhooks: composition.resolve('platformWebhooks'),
      app: () => composition.resolve('app'),
    });
    const known = await connections.listFacts(shop.orgId, clock.now());
    for (const platform of OUR_PLATFORMS.list()) {
      const connectionId = known.find((connection) => connection.platform === platform)?.id ?? null;
      const order = {
        orgId: shop.orgId,
        platform,
        connectionId,
        sku: 'felt-piano',
        email: 'jana@example.com',
        name: 'Jana Orlova',
      };
      // A machine that is busy with other tests may refuse it for now, as it does the orders of a flood.
      const sent = await until(async () => {
        const answer = await orders.send(order);
        return (answer.kind !== 'refused' || answer.status !== 503) && answer;
      });
      expect({ platform, ...sent }).toEqual({
        platform,
        kind: 'arrived',
        orderId: expect.any(String),
        deliveryId: expect.any(String),
      });
      const deliveryId = sent.kind === 'arrived' ? (sent.deliveryId ?? '') : '';
      expect(await deliveries.open(shop.orgId, deliveryId)).toMatchObject({ platform, isTest: true });
      if (platform === 'payments-a') continue;
      expect(await orders.send({ ...order, connectionId: null })).toEqual({ kind: 'not-set-up' });
    }
  } finally {
    await close();
  }
});
