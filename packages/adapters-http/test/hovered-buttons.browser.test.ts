import { expect, test } from 'vitest';
import { useBrowser } from '../../../test/browser.ts';
import { shareInFile } from '../../../test/undo.ts';
import { fillLongest } from './fill-longest.ts';
import { listPages } from './list-pages.ts';
import { openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';

const browser = useBrowser();

const filled = shareInFile(async () => {
  const dashboard = await openDashboard();
  await fillLongest(dashboard);
  return { dashboard, paths: await listPages(dashboard) };
});

const PAGES = [
  'overview ',
  'purchases/id ',
  'products/id ',
  'settings/integrations/storefront-a ',
  'settings/api-key ',
];

/** Of its words, with its ground; null where the ground is that of the page. */
const CONTRAST = `((button) => {
  const { color, backgroundColor } = getComputedStyle(button);
  if (/, 0\\)$|\\/ 0\\)$/.test(backgroundColor)) return null;
  const luminance = (shown) => {
    const [red, green, blue] = shown.match(/[\\d.]+/g).slice(0, 3).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light, dark] = [luminance(color), luminance(backgroundColor)].sort((one, other) => other - one);
  return (light + 0.05) / (dark + 0.05);
})(document.querySelector('.btn:hover'))`;

test.each(['light', 'dark'] as const)('a button can be read below the mouse, in %s', async (colorScheme) => {
  const { dashboard, paths } = filled();
  const { page, go } = await openInBrowser(dashboard, browser, { colorScheme, reducedMotion: 'reduce' });
  const unreadable: string[] = [];
  for (const kind of PAGES) {
    await go(paths.get(kind) ?? '');
    for (const button of await page
      .locator('main .btn:enabled, main a.btn')
      .filter({ visible: true })
      .all()) {
      await button.hover();
      const contrast = await page.evaluate<number | null>(CONTRAST);
      if (contrast !== null && contrast < 4.5) unreadable.push(`${kind}: ${await button.textContent()}`);
    }
  }
  expect(unreadable).toEqual([]);
});
