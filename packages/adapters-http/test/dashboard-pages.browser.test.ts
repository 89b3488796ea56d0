import { createProduct, createVersion, issueSignInLink, mapSku } from '@handover/domain';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findBarriers, SCREENS, takePicture, useBrowser } from '../../../test/browser.ts';
import { type OpenedDashboard, openDashboard } from './open-dashboard.ts';
import { listen } from './over-the-wire.ts';
import { deliverOrder } from './sell-purchases.ts';

const browser = useBrowser();

type Screen = keyof typeof SCREENS;
type Options = Parameters<typeof browser.open>[0];

/** A dashboard that listens, with a draft that has a version without files, and a mapping. */
async function openListening() {
  const it = await openDashboard();
  const { orgId, product } = it.shop;
  const draft = await createProduct(it.ports, orgId, { name: 'Nocturne Strings', slug: 'nocturne-strings' });
  if (draft.kind === 'created') await createVersion(it.ports, orgId, draft.product.id, '1.1');
  await mapSku(it.ports, orgId, { sku: 'PAD-BUNDLE', platform: 'cart-a', productId: product.id });
  const site = `http://127.0.0.1:${await listen(it.app)}`;
  return { ...it, site };
}

async function signInWith(it: OpenedDashboard & { readonly site: string }, options: Options) {
  const { email } = await it.signIn('owner');
  const issued = await issueSignInLink(it.ports, email);
  const path = issued.kind === 'issued' ? new URL(issued.url).pathname : '';
  const context = await browser.open(options);
  const page = await context.newPage();
  await page.goto(`${it.site}${path}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/dashboard/*');
  await page.goto(`${it.site}/dashboard/products`);
  return { context, page };
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
    reports: '/dashboard/reports',
    team: '/dashboard/settings/team',
    'team-invite': '/dashboard/settings/team/invite',
    organisation: '/dashboard/settings/organisation',
    activity: '/dashboard/settings/activity',
    'api-key': '/dashboard/settings/api-key?show',
    'not-found': '/dashboard/nowhere',
  };
}

describe.each<Screen>(['desktop', 'phone'])('on a %s', (screen) => {
  test.each(['light', 'dark'] as const)('nothing bars anyone from the pages (%s)', async (colorScheme) => {
    const it = await openListening();
    const { page } = await signInWith(it, { ...SCREENS[screen], colorScheme });
    for (const [name, path] of Object.entries(pagesOf(it))) {
      await page.goto(`${it.site}${path}`);
      expect([name, await findBarriers(page)]).toEqual([name, []]);
      expect([name, await overflowOf(page)]).toEqual([name, 0]);
      await takePicture(page, `dashboard-${name}-${screen}-${colorScheme}`);
    }
  });

  test.each(['light', 'dark'] as const)('nothing bars anyone from signing in (%s)', async (colorScheme) => {
    const it = await openListening();
    const page = await (await browser.open({ ...SCREENS[screen], colorScheme })).newPage();
    await page.goto(`${it.site}/dashboard`);
    expect(await findBarriers(page)).toEqual([]);
    await takePicture(page, `dashboard-sign-in-${screen}-${colorScheme}`);
    await page.getByLabel('E-mail address').fill('jana@example.com');
    await page.getByRole('button', { name: 'Mail me a link' }).click();
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takePicture(page, `dashboard-asked-${screen}-${colorScheme}`);
  });
});

test('a narrow phone scrolls no page sideways', async () => {
  const it = await openListening();
  const { page } = await signInWith(it, { viewport: { width: 320, height: 640 } });
  for (const [name, path] of Object.entries(pagesOf(it))) {
    await page.goto(`${it.site}${path}`);
    expect([name, await overflowOf(page)]).toEqual([name, 0]);
  }
});

test('the menu of a phone opens, and leads on, without a script', async () => {
  const it = await openListening();
  const { page } = await signInWith(it, { ...SCREENS.phone, javaScriptEnabled: false });
  await page.locator('.bar summary').first().click();
  await page.getByRole('link', { name: 'API key' }).click();
  await page.getByRole('heading', { level: 1, name: 'API key' }).waitFor();
});

test('without a script nothing is shown that only a script could do', async () => {
  const it = await openListening();
  const { linkId, purchaseId } = await deliverOrder(it);
  const paths = [
    `/dashboard/purchases/${purchaseId}`,
    '/dashboard/webhook-log',
    '/dashboard/settings/integrations/storefront-a',
    '/dashboard/settings/organisation',
    '/dashboard/settings/api-key?show',
  ];
  for (const javaScriptEnabled of [true, false]) {
    const { page } = await signInWith(it, { ...SCREENS.desktop, javaScriptEnabled });
    for (const path of paths) {
      await page.goto(`${it.site}${path}`);
      const scripted = page.locator(':is([data-copy], [data-switch-theme], [data-pause]):visible');
      expect([path, (await scripted.count()) > 0]).toEqual([path, javaScriptEnabled]);
    }
    await page.goto(`${it.site}${paths[0]}`);
    // The link can be taken all the same.
    const address = page.locator('noscript .address');
    expect(await address.isVisible()).toBe(!javaScriptEnabled);
    if (javaScriptEnabled) continue;
    expect(await address.textContent()).toBe(it.ports.tokens.url(it.shop.orgId, linkId));
  }
});

test('everything is reached by keyboard, and seen to be', async () => {
  const it = await openListening();
  const { page } = await signInWith(it, SCREENS.desktop);
  await page.keyboard.press('Tab');
  expect(await focusedWords(page)).toBe('Skip to the content');
  await page.keyboard.press('Enter');
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

test('the search looks again while one types', async () => {
  const it = await openListening();
  const { page } = await signInWith(it, SCREENS.desktop);
  await page.getByLabel('Search products').pressSequentially('noct');
  await page.getByRole('link', { name: 'Pads' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Nocturne Strings' }).waitFor();
  await page.waitForURL('**/dashboard/products?q=noct*');
});

test('what takes something away is asked for first, and the key can be copied', async () => {
  const it = await openListening();
  const { page, context } = await signInWith(it, SCREENS.desktop);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${it.site}/dashboard/settings/api-key`);
  await page.getByRole('button', { name: 'Refresh the key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refresh your API key?' });
  const question = dialog.getByRole('heading', { name: 'Refresh your API key?' });
  await question.waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Refresh the key' }).click();
  await dialog.getByRole('button', { name: 'Refresh the key' }).click();
  await page.getByText('You have a new API key').waitFor();
  await page.getByRole('button', { name: 'Copy Your key' }).click();
  await page.getByText('Copied').waitFor();
  const key = await page.locator('.copy code').textContent();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
});

test('light and dark are switched by hand, and stay so', async () => {
  const it = await openListening();
  const { page } = await signInWith(it, { ...SCREENS.desktop, colorScheme: 'light' });
  const isDark = () => page.evaluate(`document.documentElement.classList.contains('dark')`);
  expect(await isDark()).toBe(false);
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  expect(await isDark()).toBe(true);
  await page.reload();
  expect(await isDark()).toBe(true);
});

test('nothing that the policy forbids is tried', async () => {
  const it = await openListening();
  const { page } = await signInWith(it, SCREENS.desktop);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  for (const path of Object.values(pagesOf(it))) await page.goto(`${it.site}${path}`);
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
});

/** How far the page could be scrolled sideways, in pixels. */
function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

function focusedWords(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.textContent.trim()');
}
