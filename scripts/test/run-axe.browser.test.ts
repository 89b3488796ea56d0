import { expect, test } from 'vitest';
import { useBrowser } from '../../test/browser.ts';
import { runAxe } from '../../test/run-axe.ts';

const browser = useBrowser();

function pageWith(paragraphs: string): string {
  return `<!doctype html><html lang="en"><title>Title</title><style>.pale { color: #aaa }</style><main><h1>Title</h1>${paragraphs}</main>`;
}

test('a look is measured once, and one without contrast on every page that has it', async () => {
  const page = await (await browser.open()).newPage();
  await page.setContent(pageWith('<p>Dark</p>'));
  expect(await runAxe(page)).toEqual([]);
  // One letter is too little to judge: the same look in a word is measured.
  await page.setContent(pageWith('<p>Dark</p><p class="pale">i</p>'));
  expect(await runAxe(page)).toEqual([]);
  await page.setContent(pageWith('<p>Dark</p><p class="pale">Pale</p><p class="pale">Paler</p>'));
  const pale = [expect.stringMatching(/^color-contrast at \.pale:nth-child/), expect.anything()];
  expect(await runAxe(page)).toEqual(pale);
  expect(await runAxe(page, 'colours')).toEqual(pale);
  // The same text on a dark ground looks different.
  await page.setContent(pageWith('<p>Dark</p>').replace('<main>', '<main style="background: #333">'));
  expect(await runAxe(page)).toEqual([expect.stringContaining('color-contrast at h1'), expect.anything()]);
});
