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
  await page.waitForFunction(`window.toasts?.some((words) => words.includes('The address is corrected'))`);

  await sendUnmatched(dashboard, 'UNKNOWN', '77');
  await go('/dashboard/overview');
  await page.keyboard.press('j');
  expect(await page.evaluate<string>('document.activeElement.textContent.trim()')).toBe('Match the SKU');
});
