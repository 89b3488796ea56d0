import { expect, test, vi } from 'vitest';
import { useBrowser } from '../../../test/browser.ts';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { listen } from './over-the-wire.ts';
import { sellPads } from './sell-pads.ts';

const browser = useBrowser();

test('an address that is corrected while its form is on its way is sent, too', async () => {
  const { app } = await sellPads();
  const page = await (await browser.open()).newPage();
  const sent: (string | null)[] = [];
  await page.route('**/my', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    // The answer to the first one is slow in coming.
    if (sent.push(route.request().postData()) > 1) await route.continue();
  });
  await page.goto(`http://127.0.0.1:${await listen(app)}/my`);
  await page.getByLabel('E-mail address').focus();
  await page.keyboard.type('ana@exmaple.com\n');
  await vi.waitUntil(() => sent.length === 1, WAIT_TIMEOUT_MS);
  await page.keyboard.press('Enter');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('ana@example.com\n');
  await vi.waitUntil(() => sent.length > 1, WAIT_TIMEOUT_MS);
  expect(sent).toEqual(['email=ana%40exmaple.com', 'email=ana%40example.com']);
  await page.getByText('Look in your inbox').waitFor();
});
