import { expect, test } from 'vitest';
import { useBrowser } from '../../../test/browser.ts';
import { openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';
import { deliverOrder, sendUnmatched } from './sell-purchases.ts';

const browser = useBrowser();

/** Nodes that are added to the live region of toasts. A screen reader says nothing else of it. */
const OBSERVE_TOASTS = `
  window.toasts = [];
  document.addEventListener('DOMContentLoaded', () => {
    const observer = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) window.toasts.push(node.textContent);
    });
    observer.observe(document.getElementById('toaster'), { childList: true });
  });
`;

test('a refused form focuses its field, a toast is announced, and keys move through what needs a person', async () => {
  const dashboard = await openDashboard();
  const { purchaseId } = await deliverOrder(dashboard);
  const { page, context, go } = await openInBrowser(dashboard, browser);
  await context.addInitScript(OBSERVE_TOASTS);
  await go(`/dashboard/purchases/${purchaseId}/address`);
  await page.getByRole('button', { name: 'Correct and send' }).click();
  const field = page.getByRole('textbox', { name: 'Right address' });
  await page.getByText('It is the address on record already').waitFor();
  expect(await page.evaluate<string>('document.activeElement.id')).toBe('email');
  expect(await page.title()).toMatch(/^Problem: Correct address/);

  await field.fill('ana.lima@example.com');
  await page.getByRole('button', { name: 'Correct and send' }).click();
  await page.waitForURL((url) => url.pathname.endsWith(purchaseId));
  await expect
    .poll(() => page.evaluate<string[]>('window.toasts'), { timeout: 20_000 })
    .toContainEqual(expect.stringContaining('The address is corrected'));

  await sendUnmatched(dashboard, 'UNKNOWN', '77');
  await go('/dashboard/overview');
  await page.keyboard.press('j');
  expect(await page.evaluate<string>('document.activeElement.textContent.trim()')).toBe('Match the SKU');
});

/** Links of a button's kind that are lower than a finger needs; those within sentences may be. */
const LOW_TARGETS = `[...document.querySelectorAll('.need-age .link, .card > header > .link, .log-links .link')]
  .filter((link) => link.checkVisibility() && link.getBoundingClientRect().height < 24)
  .map((link) => link.textContent)`;

test.each([390, 1280])('links beside a text are 24 pixels high on a screen of %i', async (width) => {
  const dashboard = await openDashboard();
  const { deliveryId } = await deliverOrder(dashboard);
  await sendUnmatched(dashboard, 'UNKNOWN', '77');
  await sendUnmatched(dashboard, 'OTHER', '78');
  const { page, go } = await openInBrowser(dashboard, browser);
  await page.setViewportSize({ width, height: 800 });
  for (const path of ['overview', `webhook-log/${deliveryId}`]) {
    await go(`/dashboard/${path}`);
    expect([path, await page.evaluate(LOW_TARGETS)]).toEqual([path, []]);
  }
});

test('what a browser without a clipboard cannot copy is shown to be copied by hand', async () => {
  const dashboard = await openDashboard();
  const { purchaseId, linkId } = await deliverOrder(dashboard);
  const { page, context, go } = await openInBrowser(dashboard, browser);
  await context.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
  await go(`/dashboard/purchases/${purchaseId}`);
  const asking = new Promise<string>((resolve) => {
    page.once('dialog', (dialog) => {
      resolve(dialog.defaultValue());
      void dialog.accept();
    });
  });
  await page.getByRole('button', { name: 'Copy link' }).click();
  expect(await asking).toBe(dashboard.ports.tokens.url(dashboard.shop.orgId, linkId));
});
