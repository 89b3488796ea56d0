import { addIntegrationSecret, mapAccount, unmapAccount } from '@handover/domain';
import { storefrontA } from '@handover/platform-storefront-a';
import { signedSample } from '@handover/platform-storefront-a/testing';
import { expect, test } from 'vitest';
import { useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { openDashboard } from './open-dashboard.ts';
import { findSite, openInBrowser } from './open-in-browser.ts';
import { SALE, send } from './send-webhook.ts';

const browser = useBrowser();
const ROOT = '/dashboard/settings/integrations';

/** With a template of the length and line breaks of a real one. */
const CLASSIC = {
  ...storefrontA,
  label: 'checkout-a-classic',
  contentTemplate: `{"orderId":"#{order.reference}","test":"#{order.isTest}","total":"#{order.total.value}",
 "email":"#{order.customer.email}","firstName":"#{order.customer.firstName}",
 "items":[{"sku":"#{orderItem.productName}","price":"#{orderItem.priceTotal.value}"}]}
`,
} as const;

/** A dashboard that listens, and sends its test orders to itself, signed with the secret that is set. */
async function openListening() {
  let site = '';
  const it = await openDashboard(
    ({ connections, clock }) => ({
      sampleOrders: {
        send: async ({ orgId, platform, connectionId, sku, email }) => {
          const shops = (await connections.list(orgId, platform, clock.now())) ?? [];
          const secret = shops.find(({ id }) => id === connectionId)?.secrets[0] ?? '';
          const { body, headers } = signedSample(secret, { orderId: '7001', email, sku });
          const url = `${site}/webhooks/${orgId}/${platform}`;
          const response = await fetch(url, { method: 'POST', headers, body: Buffer.from(body) });
          const { deliveryId } = (await response.json()) as { readonly deliveryId: string };
          return { kind: 'arrived', orderId: '7001', deliveryId };
        },
      },
    }),
    { platforms: [storefrontA, CLASSIC] },
  );
  site = await findSite(it);
  return it;
}

/** Working, rejecting with a delivery that verifies by now, two shops, and platforms that are not set up. */
async function openMixed() {
  const it = await openListening();
  const { orgId } = it.shop;
  await send(it);
  it.clock.advance(60_000);
  await send(it, signedSample('another-secret', SALE));
  const ports = { ...it.ports, connections: it.stores.connections };
  const secret = { orgId, platform: 'storefront-a', name: 'US shop', secret: 'another-secret' } as const;
  await addIntegrationSecret(ports, secret);
  await addIntegrationSecret(ports, { ...secret, platform: 'storefront-b', name: 'main' });
  // Shorter than it may be set by now.
  await ports.connections.addSecret({
    ...secret,
    platform: 'cart-a',
    name: 'A shop with quite a long name of its own',
    connectionId: it.ports.ids.next(),
    secretId: it.ports.ids.next(),
    now: it.clock.now(),
  });
  await addIntegrationSecret(ports, { ...secret, platform: 'checkout-a-classic', name: 'main' });
  await mapAccount({ ...it.ports, ...it.stores }, { orgId, account: 'acct_1A2b3C4d5E6f7G8h' });
  await unmapAccount(it.stores, 'acct_1A2b3C4d5E6f7G8h');
  return it;
}

const PAGES = {
  list: ROOT,
  rejecting: `${ROOT}/storefront-a`,
  'add-a-shop': `${ROOT}/storefront-a?new`,
  rejected: `${ROOT}/storefront-a/rejected`,
  'not-set-up': `${ROOT}/checkout-a`,
  'in-the-url': `${ROOT}/cart-a`,
  'first-in-the-url': `${ROOT}/cart-a?new`,
  classic: `${ROOT}/checkout-a-classic`,
  'payments-a': `${ROOT}/payments-a`,
};

test('nothing bars anyone from the integrations', async () => {
  const { page, go } = await openInBrowser(await openMixed(), browser);
  for (const [name, path] of Object.entries(PAGES)) {
    await go(path);
    await expectAccessible(page, `integrations-${name}`);
  }
});

test('a secret is set, a test order sent, and it arrives in the log', async () => {
  const { page, go } = await openInBrowser(await openListening(), browser);
  await go(`${ROOT}/storefront-a`);
  await page.getByLabel('New signing secret').fill('brand-new');
  await page.getByRole('button', { name: 'Replace' }).click();
  await page.getByText('The secret is saved').waitFor();
  await page.getByLabel('Product').selectOption({ label: 'Pads' });
  await page.getByRole('button', { name: 'Send test order' }).click();
  await page.waitForURL('**/dashboard/webhook-log/*');
  await page.getByText('Test order 7001 received').waitFor();
});

test('a rule is switched by the keyboard, without a script', async () => {
  const { page, go } = await openInBrowser(await openListening(), browser, { javaScriptEnabled: false });
  await go(`${ROOT}/storefront-a`);
  const rule = page.getByRole('switch', { name: 'Ignore test orders' });
  await rule.and(page.locator('[aria-checked=false]')).press('Space');
  await page.getByText('Test orders are ignored.').waitFor();
  await rule.and(page.locator('[aria-checked=true]')).press('Enter');
  await rule.and(page.locator('[aria-checked=false]')).waitFor();
});

test('a secret in a URL outlives a reload of the page that its form led to', async () => {
  const it = await openListening();
  const { page, go } = await openInBrowser(it, browser);
  await go(`${ROOT}/cart-a`);
  const secrets = async () =>
    (await it.stores.connections.list(it.shop.orgId, 'cart-a', it.clock.now()))?.map((shop) => shop.secrets);
  await page.getByRole('button', { name: 'Set the secret' }).click();
  await page.getByText('The secret is saved').waitFor();
  const set = await secrets();
  await page.reload();
  await page.getByRole('button', { name: 'Replace' }).waitFor();
  expect(set).toHaveLength(1);
  expect(await secrets()).toEqual(set);
});
