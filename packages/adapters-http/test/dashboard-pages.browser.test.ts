import { createProduct, createVersion, mapSku } from '@handover/domain';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { measureLayout } from '../../../test/measure-layout.ts';
import { runAxe } from '../../../test/run-axe.ts';
import { type OpenedDashboard, openDashboard } from './open-dashboard.ts';
import { findSite, openInBrowser } from './open-in-browser.ts';
import { deliverOrder } from './sell-purchases.ts';

const browser = useBrowser();

/** A dashboard with a draft that has a version without files, and a mapping. */
async function openShop() {
  const dashboard = await openDashboard();
  const { orgId, product } = dashboard.shop;
  const draft = await createProduct(dashboard.ports, orgId, {
    name: 'Nocturne Strings',
    slug: 'nocturne-strings',
  });
  if (draft.kind === 'created') await createVersion(dashboard.ports, orgId, draft.product.id, '1.1');
  await mapSku(dashboard.ports, orgId, { sku: 'PAD-BUNDLE', platform: 'cart-a', productId: product.id });
  return dashboard;
}

async function open(options: Parameters<typeof openInBrowser>[2] = {}) {
  const shop = await openShop();
  return { ...shop, ...(await openInBrowser(shop, browser, options)) };
}

/** Every page, by the name of its picture. A new page has its line here. */
function pagesOf({ shop }: OpenedDashboard): Readonly<Record<string, string>> {
  return {
    overview: '/dashboard/overview',
    products: '/dashboard/products',
    'products-no-match': '/dashboard/products?q=nothing',
    'product-new': '/dashboard/products/new',
    product: `/dashboard/products/${shop.product.id}`,
    'product-details': `/dashboard/products/${shop.product.id}/details`,
    search: '/dashboard/search?q=a',
    reports: '/dashboard/reports',
    'reports-sales': '/dashboard/reports/sales',
    team: '/dashboard/settings/team',
    'team-invite': '/dashboard/settings/team/invite',
    organisation: '/dashboard/settings/organisation',
    activity: '/dashboard/settings/activity',
    'api-key': '/dashboard/settings/api-key?show',
    security: '/dashboard/settings/security',
    'api-key-new': '/dashboard/settings/api-key/new',
    'not-found': '/dashboard/nowhere',
  };
}

test('the pages are accessible', async () => {
  const opened = await open();
  for (const [name, path] of Object.entries(pagesOf(opened))) {
    await opened.go(path);
    await expectAccessible(opened.page, `dashboard-${name}`);
  }
});

test('the sign-in pages are accessible', async () => {
  const site = await findSite(await openShop());
  const page = await (await browser.open(SCREENS.desktop)).newPage();
  await page.goto(`${site}/dashboard`);
  await expectAccessible(page, 'dashboard-sign-in');
  // The browser knows passkeys, so both ways to sign in are shown.
  expect(await page.getByRole('button').count()).toBe(2);
  expect(await measureLayout(page)).toEqual([]);
  await page.getByLabel('E-mail address').fill('jana@example.com');
  await page.getByRole('button', { name: 'Mail me a link' }).click();
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  await expectAccessible(page, 'dashboard-asked');
});

test('the phone menu opens and navigates without a script', async () => {
  const { page, go } = await open({ ...SCREENS.phone, javaScriptEnabled: false });
  await go('/dashboard/products');
  await page.locator('.bar summary').first().click();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
});

test('elements that need a script are hidden without one', async () => {
  const shop = await openShop();
  const { linkId, purchaseId } = await deliverOrder(shop);
  const paths = [
    `/dashboard/purchases/${purchaseId}`,
    '/dashboard/webhook-log',
    '/dashboard/settings/integrations/storefront-a',
    '/dashboard/settings/organisation',
    '/dashboard/settings/api-key?show',
  ];
  for (const javaScriptEnabled of [true, false]) {
    const { page, go } = await openInBrowser(shop, browser, { javaScriptEnabled });
    for (const path of paths) {
      await go(path);
      const scripted = page.locator(':is([data-copy], [data-switch-theme], [data-pause]):visible');
      expect([path, (await scripted.count()) > 0]).toEqual([path, javaScriptEnabled]);
    }
    await go(paths[0] ?? '');
    // The link can be taken all the same.
    const address = page.locator('noscript .address');
    expect(await address.isVisible()).toBe(!javaScriptEnabled);
    if (javaScriptEnabled) continue;
    expect(await address.textContent()).toBe(shop.ports.tokens.url(shop.shop.orgId, linkId));
  }
});

test('everything is reachable by keyboard, with visible focus', async () => {
  const { page, go } = await open();
  await go('/dashboard/products');
  await page.keyboard.press('Tab');
  expect(await focusedWords(page)).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#/);
  await page.keyboard.press('Tab');
  expect(await focusedWords(page)).toBe('New product');
  await page.keyboard.press('Enter');
  await page.getByLabel('Name').focus();
  await page.keyboard.type('Tape Loops');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Tape Loops' }).waitFor();
  // Said in the corner, and gone by itself.
  await page.getByRole('status').getByText('Tape Loops is added').waitFor();
});

test('the search runs while one types', async () => {
  const { page, go } = await open();
  await go('/dashboard/products');
  await page.getByLabel('Search products').pressSequentially('noct');
  await page.getByRole('link', { name: 'Pads' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Nocturne Strings' }).waitFor();
  await page.waitForURL('**/dashboard/products?q=noct*');
});

test('destructive actions ask for confirmation, and the key can be copied', async () => {
  const { page, context, go } = await open();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await go('/dashboard/settings/api-key');
  await page.getByRole('button', { name: 'Replace the key default' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replace the key “default”?' });
  const question = dialog.getByRole('heading', { name: 'Replace the key “default”?' });
  await question.waitFor();
  expect(await runAxe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Replace the key default' }).click();
  await dialog.getByRole('button', { name: 'Replace the key' }).click();
  await page.getByText('You have a new API key').waitFor();
  await page.getByRole('button', { name: 'Copy Your key “default”' }).click();
  await page.getByRole('button').getByText('Copied').waitFor();
  await page.getByRole('status').getByText('Copied').waitFor();
  const key = await page.locator('.copy code').textContent();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
});

test('a button that is pressed again while it says “Copied” gets its words back', async () => {
  const { page, context, go } = await open();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await go('/dashboard/settings/integrations/storefront-a');
  const button = page.locator('[data-copy]').first();
  await button.dblclick();
  await button.getByText('Copied').waitFor();
  await button.getByText(/^Copy$/).waitFor();
});

test('a form whose request was stopped can be sent again in time, and not twice before', async () => {
  const { page, go } = await open();
  await page.clock.install();
  await go('/dashboard/products/new');
  await page.getByLabel('Name', { exact: true }).fill('Tape Loops');
  const sent: string[] = [];
  await page.route('**/dashboard/products/new', async (route) => {
    sent.push(route.request().method());
    // As the Stop button of the browser does: the page stays.
    await (sent.length === 1 ? route.abort('aborted') : route.continue());
  });
  const press = () => page.keyboard.press('Enter');
  await press();
  await expect.poll(() => sent).toEqual(['POST']);
  await page.clock.fastForward(9_000);
  await press();
  expect(sent).toEqual(['POST']);
  await page.clock.fastForward(2_000);
  await press();
  await expect.poll(() => sent).toEqual(['POST', 'POST']);
});

test('a form that is sent again after the back button is not sent twice, though the first press was ten seconds ago', async () => {
  const { page, go } = await open();
  await page.clock.install();
  await go('/dashboard/products/new');
  await page.getByLabel('Name', { exact: true }).fill('Tape Loops');
  const sent: string[] = [];
  await page.route('**/dashboard/products/new', async (route) => {
    sent.push(route.request().method());
    await route.abort('aborted');
  });
  const press = () => page.keyboard.press('Enter');
  await press();
  await expect.poll(() => sent).toEqual(['POST']);
  await page.clock.fastForward(8_000);
  await page.evaluate("dispatchEvent(new Event('pageshow'))");
  await press();
  await expect.poll(() => sent).toEqual(['POST', 'POST']);
  await page.clock.fastForward(3_000);
  await press();
  expect(sent).toEqual(['POST', 'POST']);
});

test('the theme switch persists', async () => {
  const { page, go } = await open({ colorScheme: 'light' });
  await go('/dashboard/products');
  const isDark = () => page.evaluate(`document.documentElement.classList.contains('dark')`);
  expect(await isDark()).toBe(false);
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  expect(await isDark()).toBe(true);
  await page.reload();
  expect(await isDark()).toBe(true);
});

test('nothing violates the content security policy', async () => {
  const opened = await open();
  const { page } = opened;
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  for (const path of Object.values(pagesOf(opened))) await opened.go(path);
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
});

function focusedWords(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.textContent.trim()');
}
