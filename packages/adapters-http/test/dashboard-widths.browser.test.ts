import { expect, test } from 'vitest';
import { keepPicture, looksDark, preferColours, UNPAINTED, useBrowser } from '../../../test/browser.ts';
import { measureLayout } from '../../../test/measure-layout.ts';
import { shareInFile } from '../../../test/undo.ts';
import { fillLongest } from './fill-longest.ts';
import { listPages } from './list-pages.ts';
import { openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';

const browser = useBrowser(UNPAINTED);
const WIDTHS = [320, 768, 1024, 1440, 2560];
const VIEWS = [
  ['light', WIDTHS],
  // From the widest on, which it is shown at by then.
  ['dark', WIDTHS.toReversed()],
] as const;

const shown = shareInFile(async () => {
  const dashboard = await openDashboard();
  await fillLongest(dashboard);
  const paths = await listPages(dashboard);
  const options = { reducedMotion: 'reduce', isUnpainted: true } as const;
  const { page, go, context } = await openInBrowser(dashboard, browser, options);
  return { paths, page, go, session: await context.newCDPSession(page) };
});

/** Each third of the pages is a test, so that a busy machine has the time of a test for it. */
const THIRDS = [1, 2, 3];

test.each(THIRDS)(
  'every page can be read on every screen, in light and dark, however long its texts are (third %i)',
  async (third) => {
    const { paths, page, go, session } = shown();
    expect(paths.size).toBeGreaterThan(35);
    const problems: string[] = [];
    for (const [kind, path] of [...paths].filter((_, at) => at % THIRDS.length === third - 1)) {
      await go(path);
      // Other colours cost as much as another width, so each is set once.
      for (const [colorScheme, widths] of VIEWS) {
        await preferColours(page, { colorScheme });
        expect(await looksDark(page), `${kind} in ${colorScheme}`).toBe(colorScheme === 'dark');
        for (const width of widths) {
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
