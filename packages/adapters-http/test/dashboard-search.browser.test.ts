import { issueSignInLink } from '@handover/domain';
import { expect, test } from 'vitest';
import { findBarriers, SCREENS, takePicture, useBrowser } from '../../../test/browser.ts';
import { openDashboard } from './open-dashboard.ts';
import { listen } from './over-the-wire.ts';
import { deliverOrder } from './sell-purchases.ts';

const browser = useBrowser();

/** What a search finds at first, and what is no longer there once something else was looked for. */
const SEARCHES = [
  ['/dashboard/purchases', 'Search purchases', 'Ana Lima'],
  ['/dashboard/products', 'Search products', 'Pads'],
  ['/dashboard/webhook-log', 'Search the log', '#1001'],
] as const;

for (const colorScheme of ['light', 'dark'] as const) {
  test.each(SEARCHES)(
    `while no answer comes, %s keeps what it shows and says so beside the field (${colorScheme})`,
    async (path, label, found) => {
      const it = await openDashboard();
      await deliverOrder(it);
      const site = `http://127.0.0.1:${await listen(it.app)}`;
      const { email } = await it.signIn('owner');
      const issued = await issueSignInLink(it.ports, email);
      const page = await (await browser.open({ ...SCREENS.phone, colorScheme })).newPage();
      await page.goto(`${site}${issued.kind === 'issued' ? new URL(issued.url).pathname : ''}`);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/dashboard/*');
      await page.goto(`${site}${path}`);
      const field = page.getByLabel(label);
      const shown = page.getByRole('main').getByText(found).first();
      const problem = page.getByRole('alert').getByText('What you typed is kept');

      // As the server answers a fragment that it cannot make.
      const headers = { 'hx-retarget': 'body', 'hx-reselect': 'body > *', 'hx-reswap': 'innerHTML' };
      const away = {
        status: 503,
        contentType: 'text/html',
        headers,
        body: '<main>The database is away</main>',
      };
      await page.route(`**${path}?*q=*`, (route) => route.fulfill(away));
      await field.pressSequentially('zz');
      await problem.waitFor();
      expect([await shown.isVisible(), await field.inputValue()]).toEqual([true, 'zz']);
      expect(await findBarriers(page)).toEqual([]);
      await takePicture(page, `search-away${path.replaceAll('/', '-')}-${colorScheme}`);

      await page.unroute(`**${path}?*q=*`);
      await page.route(`**${path}?*q=*`, (route) => route.abort());
      await field.press('y');
      await page.waitForRequest((request) => request.url().includes('zzy'));
      expect([await shown.isVisible(), await problem.isVisible()]).toEqual([true, true]);

      await page.unroute(`**${path}?*q=*`);
      await field.press('x');
      await shown.waitFor({ state: 'detached' });
      await problem.waitFor({ state: 'hidden' });
      expect(await field.inputValue()).toBe('zzyx');
    },
  );
}
