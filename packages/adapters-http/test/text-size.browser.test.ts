import { expect, test } from 'vitest';
import { keepPicture, type TestBrowser, UNPAINTED, useBrowser } from '../../../test/browser.ts';
import { measureLayout } from '../../../test/measure-layout.ts';
import { shareInFile } from '../../../test/undo.ts';
import { fillLongest } from './fill-longest.ts';
import { listPages } from './list-pages.ts';
import { openDashboard } from './open-dashboard.ts';
import { openFeltPiano } from './open-felt-piano.ts';
import { openInBrowser } from './open-in-browser.ts';
import { completeReceipt, deliverOrder } from './sell-purchases.ts';

const usual = useBrowser(UNPAINTED);
/** Of a user who has chosen this size of text, in pixels; 16 is the default. */
const enlarged = useBrowser([...UNPAINTED, '--blink-settings=defaultFontSize=32']);

const filled = shareInFile(async () => {
  const dashboard = await openDashboard();
  await fillLongest(dashboard);
  return { dashboard, paths: [...(await listPages(dashboard))] };
});

/** The page that tests share which measure all pages in this browser. */
function shareWindow(browser: TestBrowser) {
  const options = { reducedMotion: 'reduce', isUnpainted: true } as const;
  return shareInFile(() => openInBrowser(filled().dashboard, browser, options));
}

/** Each half of the pages is a test, so that a busy machine has the time of a test for it. */
const HALVES = [1, 2];
const takeHalf = (half: number) => filled().paths.filter((_, at) => at % HALVES.length === half - 1);

const inEnlarged = shareWindow(enlarged);

test.each(HALVES)('every page can be read with text twice as large (half %i)', async (half) => {
  const { page, go } = inEnlarged();
  const problems: string[] = [];
  for (const [kind, path] of takeHalf(half)) {
    await go(path);
    const size = await page.evaluate(`parseFloat(getComputedStyle(document.body).fontSize)`);
    expect(size, kind).toBeGreaterThanOrEqual(28);
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const found = await measureLayout(page);
      problems.push(...found.map((problem) => `${kind} at ${width}: ${problem}`));
      await keepPicture(`text-size-${kind.replaceAll(/\W+/g, '-')}-${width}`, () => page.screenshot());
    }
  }
  expect(problems).toEqual([]);
});

test('a download page can be read with text twice as large', async () => {
  const page = await (await enlarged.open()).newPage();
  await page.goto((await openFeltPiano({ newerVersion: '2.2' })).address);
  expect(await page.evaluate(`parseFloat(getComputedStyle(document.body).fontSize)`)).toBe(32);
  for (const width of [640, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await measureLayout(page), `${width}`).toEqual([]);
    await keepPicture(`text-size-download-${width}`, () => page.screenshot());
  }
});

/** As WCAG 1.4.12 asks for, with a stylesheet of the user. */
const SPACED = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }');
  document.adoptedStyleSheets = [sheet];
  undefined;
}`;

const inUsual = shareWindow(usual);

test.each(HALVES)(
  'no page loses text, or scrolls sideways, when its text is spaced wider (half %i)',
  async (half) => {
    const { page, go } = inUsual();
    const problems: string[] = [];
    for (const [kind, path] of takeHalf(half)) {
      await go(path);
      await page.evaluate(SPACED);
      for (const width of [320, 640, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        // A cell of more lines than is good loses nothing.
        const found = (await measureLayout(page)).filter((problem) => !problem.startsWith('too many lines'));
        problems.push(...found.map((problem) => `${kind} at ${width}: ${problem}`));
      }
    }
    expect(problems).toEqual([]);
  },
);

test('the e-mail of a purchase does not scroll sideways when its text is spaced wider', async () => {
  const dashboard = await openDashboard();
  const { receiptId, purchaseId } = await deliverOrder(dashboard, { orderNumber: '#1186' });
  await completeReceipt(dashboard, receiptId, 'sent', '250 2.0.0 OK, queued');
  const { page, go } = await openInBrowser(dashboard, usual, { viewport: { width: 320, height: 640 } });
  await go(`/dashboard/purchases/${purchaseId}/e-mail`);
  await page.evaluate(SPACED);
  expect(await measureLayout(page)).toEqual([]);
});
