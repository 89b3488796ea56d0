import { expect, test } from 'vitest';
import { findBarriers, SCREENS, takePicture, useBrowser } from '../../../test/browser.ts';
import { listen } from './over-the-wire.ts';
import { sellPads } from './sell-pads.ts';

const browser = useBrowser();

test.each(['phone', 'desktop'] as const)(
  'nothing bars anyone from the download page (%s)',
  async (screen) => {
    const it = await sellPads();
    const address = `http://127.0.0.1:${await listen(it.app)}/d/${it.token}`;
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.open({ ...SCREENS[screen], colorScheme });
      const page = await context.newPage();
      await page.goto(address);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Pads');
      expect(await findBarriers(page)).toEqual([]);
      await takePicture(page, `download-${screen}-${colorScheme}`);
    }
  },
);
