import { expect, test } from 'vitest';
import { measureOverflow, takePicture, useBrowser } from '../../../test/browser.ts';
import { runAxe } from '../../../test/run-axe.ts';
import { EVERY_MAIL } from './every-mail.ts';

const browser = useBrowser();

/** The words of the buttons that are higher than one line. */
const WRAPPED = `[...document.querySelectorAll('.press a')]
  .filter(({ clientHeight }) => clientHeight > 44)
  .map(({ textContent }) => textContent)`;

test('every mail is accessible, and fits on a screen of 320 pixels', async () => {
  const page = await (await browser.open({ viewport: { width: 640, height: 800 } })).newPage();
  for (const [name, { html }] of EVERY_MAIL) {
    await page.setContent(html);
    expect.soft(await runAxe(page, 'all'), name).toEqual([]);
    expect.soft(await page.evaluate(WRAPPED), `${name}: buttons on two lines`).toEqual([]);
    await takePicture(page, `mail-${name}`);
    await page.setViewportSize({ width: 320, height: 640 });
    expect.soft(await measureOverflow(page), `${name} scrolls sideways`).toBe(0);
    await takePicture(page, `mail-${name}-320`);
    await page.setViewportSize({ width: 640, height: 800 });
  }
});
