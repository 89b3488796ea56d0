import { expect, test } from 'vitest';
import { keepPicture, useBrowser } from '../../../test/browser.ts';
import { measureLayout } from '../../../test/measure-layout.ts';
import { fillLongest } from './fill-longest.ts';
import { listPages } from './list-pages.ts';
import { openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';

const browser = useBrowser();
const WIDTHS = [320, 768, 1024, 1440, 2560];
const COLOURS = ['light', 'dark'] as const;

/** Each third of the pages is a test, so that a busy machine has the time of a test for it. */
const THIRDS = [1, 2, 3];

test.each(THIRDS)(
  'every page can be read on every screen, in light and dark, however long its texts are (third %i)',
  async (third) => {
    const dashboard = await openDashboard();
    await fillLongest(dashboard);
    const paths = await listPages(dashboard);
    expect(paths.size).toBeGreaterThan(35);
    const { page, go, context } = await openInBrowser(dashboard, browser, { reducedMotion: 'reduce' });
    const session = await context.newCDPSession(page);
    const problems: string[] = [];
    for (const [kind, path] of [...paths].filter((_, at) => at % THIRDS.length === third - 1)) {
      await go(path);
      for (const colorScheme of COLOURS) {
        await page.emulateMedia({ colorScheme });
        for (const width of WIDTHS) {
          const screen = { width, height: 900, deviceScaleFactor: 1, mobile: false };
          await session.send('Emulation.setDeviceMetricsOverride', screen);
          const found = await measureLayout(page);
          problems.push(...found.map((problem) => `${kind} at ${width}, ${colorScheme}: ${problem}`));
          await keepPicture(`${kind.replaceAll(/\W+/g, '-')}-${width}-${colorScheme}`, async () => {
            const { data } = await session.send('Page.captureScreenshot');
            return Buffer.from(data, 'base64');
          });
        }
      }
    }
    expect(problems).toEqual([]);
  },
);
