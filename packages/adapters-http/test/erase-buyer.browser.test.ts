import { test } from 'vitest';
import { takePicture, useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';
import { completeReceipt, deliverOrder } from './sell-purchases.ts';

const browser = useBrowser();

test('a buyer is erased, once no mail is on its way', async () => {
  const dashboard = await openDashboard();
  const { page, go } = await openInBrowser(dashboard, browser);
  const { purchaseId, receiptId } = await deliverOrder(dashboard);
  await go(`/dashboard/purchases/${purchaseId}`);
  await page.getByRole('link', { name: 'Erase this buyer' }).click();
  const erase = page.getByRole('button', { name: 'Erase the buyer for good' });
  await erase.click();
  await page.getByText('a mail to this buyer is on its way').waitFor();
  await takePicture(page, 'purchase-erase-waits');
  await expectAccessible(page, 'purchase-erase');
  await completeReceipt(dashboard, receiptId, 'sent', '250 OK');
  await erase.click();
  await page.getByRole('heading', { level: 1, name: 'Pads for Erased buyer' }).waitFor();
  await expectAccessible(page, 'purchase-erased');
});
