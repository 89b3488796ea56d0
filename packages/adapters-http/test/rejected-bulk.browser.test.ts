import { signedSample } from '@handover/platform-storefront-a/testing';
import { expect, test } from 'vitest';
import { keepPicture, SCREENS, useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';
import { deliverOrder } from './sell-purchases.ts';
import { SALE, send } from './send-webhook.ts';

const browser = useBrowser();
const REJECTED = '/dashboard/settings/integrations/storefront-a/rejected';

/** Three rejected orders, and one that failed. */
async function openRejected() {
  const dashboard = await openDashboard();
  for (const orderId of ['8001', '8002', '8003']) {
    const email = `a-buyer-with-a-long-address-${orderId}@shop.example.com`;
    await send(dashboard, signedSample('another-secret', { ...SALE, orderId, email }));
    dashboard.clock.advance(1000);
  }
  await deliverOrder(dashboard, { customer: { email: null, name: null } });
  return dashboard;
}

test('rejected deliveries are selected, dismissed with a reason, and brought back', async () => {
  const { page, go } = await openInBrowser(await openRejected(), browser);
  const look = async (name: string) => {
    await expectAccessible(page, name);
    await page.setViewportSize({ width: 320, height: 800 });
    await keepPicture(`${name}-320`, () => page.screenshot({ fullPage: true }));
    await page.setViewportSize({ width: 1280, height: 800 });
  };
  await go(REJECTED);
  await page.getByLabel('Select #8001').check();
  await page.getByLabel('Select #8003').check();
  await page.getByRole('status').getByText('2 selected').waitFor();
  await look('rejected-selected');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dismiss 2 rejected deliveries?' }).waitFor();
  await page.getByLabel('Why do they need no action?').fill('Tests of ours, sent before the shop was open.');
  await look('rejected-dismiss');
  await page.getByRole('button', { name: 'Dismiss 2 rejected deliveries' }).click();
  await page.getByText('2 rejected deliveries dismissed').waitFor();
  await page.getByRole('heading', { level: 2, name: 'Dismissed', exact: true }).waitFor();
  await look('rejected-dismissed');
  await page.getByLabel('Select all of “Dismissed deliveries”').check();
  await page.getByRole('button', { name: 'Bring back' }).click();
  await page.getByRole('button', { name: 'Bring back 2 rejected deliveries' }).click();
  await page.getByText('2 rejected deliveries brought back').waitFor();
  await page.getByLabel('Select all of “Rejected deliveries”').check();
  await page.getByRole('button', { name: 'Deliver', exact: true }).click();
  await page.getByText('Left out: 3, since no secret that is set here verifies them.').waitFor();
  await look('rejected-deliver-none');
});

test('without a script, on a phone, several action items are dismissed and brought back', async () => {
  const { page, go } = await openInBrowser(await openRejected(), browser, {
    ...SCREENS.phone,
    javaScriptEnabled: false,
  });
  await go('/dashboard/overview');
  await page.getByRole('link', { name: 'Dismiss several' }).click();
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByLabel('Why do they need no action?').fill('Tests of ours');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor();
  await page.getByText('2 dismissed').first().click();
  await page.getByRole('link', { name: 'Bring back several' }).click();
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Bring back' }).click();
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  expect(await page.getByText('Shopify: 3 deliveries rejected', { exact: true }).isVisible()).toBe(true);
});

test('several action items can be read and selected on every screen', async () => {
  const { page, go } = await openInBrowser(await openRejected(), browser);
  const pictures = async (name: string) => {
    await expectAccessible(page, name);
    await page.setViewportSize({ width: 320, height: 800 });
    await keepPicture(`${name}-320`, () => page.screenshot({ fullPage: true }));
    await page.setViewportSize({ width: 1280, height: 800 });
  };
  await go('/dashboard/overview');
  await pictures('overview-several');
  await page.getByRole('link', { name: 'Dismiss several' }).click();
  await page.getByRole('checkbox').first().check();
  await pictures('dismiss-several');
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByLabel('Why do they need no action?').fill('Tests of ours');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByText('2 dismissed').first().waitFor();
  await go('/dashboard/overview/dismissed');
  await pictures('dismissed-several');
});
