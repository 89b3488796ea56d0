import { addIntegrationSecret, FRESH_FOR_MS, mapAccount, unmapAccount } from '@handover/domain';
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
  const dashboard = await openDashboard(
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
  site = await findSite(dashboard);
  return dashboard;
}

/** Working, rejecting with a delivery that verifies by now, two shops, and platforms that are not set up. */
async function openMixed() {
  const listening = await openListening();
  const { orgId } = listening.shop;
  await send(listening);
  listening.clock.advance(60_000);
  await send(listening, signedSample('another-secret', SALE));
  const ports = { ...listening.ports, connections: listening.stores.connections };
  const secret = { orgId, platform: 'storefront-a', name: 'US shop', secret: 'another-secret' } as const;
  await addIntegrationSecret(ports, secret);
  await addIntegrationSecret(ports, { ...secret, platform: 'storefront-b', name: 'main' });
  // Shorter than it may be set by now.
  await ports.connections.addSecret({
    ...secret,
    platform: 'cart-a',
    name: 'A shop with quite a long name of its own',
    connectionId: listening.ports.ids.next(),
    secretId: listening.ports.ids.next(),
    now: listening.clock.now(),
  });
  await addIntegrationSecret(ports, { ...secret, platform: 'checkout-a-classic', name: 'main' });
  await mapAccount({ ...listening.ports, ...listening.stores }, { orgId, account: 'acct_1A2b3C4d5E6f7G8h' });
  await unmapAccount(listening.stores, 'acct_1A2b3C4d5E6f7G8h');
  return listening;
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

test('the integrations are accessible', async () => {
  const listening = await openMixed();
  const { page, go } = await openInBrowser(listening, browser);
  for (const [name, path] of Object.entries(PAGES)) {
    await go(path);
    await expectAccessible(page, `integrations-${name}`);
  }
  listening.clock.advance(FRESH_FOR_MS);
  await go(PAGES['first-in-the-url']);
  await expectAccessible(page, 'integrations-unconfirmed');
});

test('a secret is saved, and a test order arrives in the log', async () => {
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

test('a rule is switched by keyboard, without a script', async () => {
  const { page, go } = await openInBrowser(await openListening(), browser, { javaScriptEnabled: false });
  await go(`${ROOT}/storefront-a`);
  const rule = page.getByRole('switch', { name: 'Ignore test orders' });
  await rule.and(page.locator('[aria-checked=false]')).press('Space');
  await page.getByText('Test orders are ignored.').waitFor();
  await rule.and(page.locator('[aria-checked=true]')).press('Enter');
  await rule.and(page.locator('[aria-checked=false]')).waitFor();
});

test('a secret in a URL survives a reload of the page after its form', async () => {
  const listening = await openListening();
  const { page, go } = await openInBrowser(listening, browser);
  await go(`${ROOT}/cart-a`);
  const secrets = async () =>
    (await listening.stores.connections.list(listening.shop.orgId, 'cart-a', listening.clock.now()))?.map(
      (shop) => shop.secrets,
    );
  await page.getByRole('button', { name: 'Set the secret' }).click();
  await page.getByText('The secret is saved').waitFor();
  const set = await secrets();
  await page.reload();
  await page.getByText('Webhook URL in use').waitFor();
  await page.getByText('Make a URL with a new secret').click();
  await page.getByRole('button', { name: 'Replace' }).waitFor();
  expect(set).toHaveLength(1);
  expect(await secrets()).toEqual(set);
});
