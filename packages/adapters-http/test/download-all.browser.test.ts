import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { SCREENS, useBrowser } from '../../../test/browser.ts';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { findUsed, line, openDownloadPage } from './download-page.ts';
import { openFeltPiano } from './open-felt-piano.ts';
import { listen } from './over-the-wire.ts';
import { sellPads } from './sell-pads.ts';

const browser = useBrowser();

const PADS = { name: 'pads.zip', size: 5, sha256: 'a'.repeat(64) };
const KEYS = { name: 'keys.zip', size: 5, sha256: 'b'.repeat(64) };
const ALL = { name: 'Download all 3 files (6.4 MB)' };

/** Until the button for all files has pressed the last one. */
async function waitForEnabled(page: Page): Promise<void> {
  await page.locator('[data-all] button:not([aria-disabled])').waitFor();
}

/** The names of the files that the browser begins to download, each time it does. */
function noteDownloads(page: Page): string[] {
  const names: string[] = [];
  page.on('download', (download) => names.push(download.suggestedFilename()));
  return names;
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

test('one press downloads all files of the page, and the link is used', async () => {
  const feltPiano = await openFeltPiano();
  const page = await openDownloadPage(browser, feltPiano);
  const names = noteDownloads(page);
  await page.getByRole('button', ALL).click();
  await page.getByRole('status').filter({ hasText: 'Your browser may ask' }).waitFor();
  for (const { name } of Object.values(feltPiano.files)) {
    await line(page, name).getByText('Sent whole').waitFor();
  }
  expect(names.sort()).toEqual(Object.values(feltPiano.files).map(nameOf).sort());
  await vi.waitUntil(async () => (await findUsed(feltPiano)) !== null, WAIT_TIMEOUT_MS);
});

test('a double press of the button for all files downloads each once, and the button keeps the focus', async () => {
  const feltPiano = await openFeltPiano();
  const page = await openDownloadPage(browser, feltPiano);
  const names = noteDownloads(page);
  await page.getByRole('button', ALL).dblclick();
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Download all');
  for (const { name } of Object.values(feltPiano.files)) {
    await line(page, name).getByText('Sent whole').waitFor();
  }
  await waitForEnabled(page);
  expect(names.sort()).toEqual(Object.values(feltPiano.files).map(nameOf).sort());
});

test('the button for all files begins the next one once the one before sends bytes', async () => {
  const feltPiano = await openFeltPiano();
  const page = await openDownloadPage(browser, feltPiano);
  const names = noteDownloads(page);
  await page.route('**/progress', (route) =>
    route.fulfill({ json: { session: null, files: [], whole: false } }),
  );
  await page.getByRole('button', ALL).click();
  // Longer than the pause between two of them.
  for (let asked = 0; asked < 5; asked += 1) await page.waitForResponse('**/progress');
  expect(names).toHaveLength(1);
  await page.unroute('**/progress');
  for (const { name } of Object.values(feltPiano.files)) {
    await line(page, name).getByText('Sent whole').waitFor();
  }
  expect(names).toHaveLength(3);
});

test('a later press begins nothing twice while a file is under way, and all of them again once they were sent whole', async () => {
  const feltPiano = await openFeltPiano();
  const { win, mac, manual } = feltPiano.files;
  win.allowed = win.size / 2;
  mac.allowed = mac.size / 2;
  const page = await openDownloadPage(browser, feltPiano);
  const names = noteDownloads(page);
  await page.getByRole('button', ALL).click();
  await line(page, manual.name).getByText('Sent whole').waitFor();
  await waitForEnabled(page);
  await page.getByRole('button', ALL).click();
  await waitForEnabled(page);
  expect(names.sort()).toEqual([win, mac, manual].map(nameOf).sort());
  win.allowed = win.size;
  mac.allowed = mac.size;
  for (const { name } of [win, mac, manual]) await line(page, name).getByText('Sent whole').waitFor();
  await page.getByRole('button', ALL).click();
  await vi.waitUntil(() => names.length === 6, WAIT_TIMEOUT_MS);
  expect(names.sort()).toEqual([win, mac, manual, win, mac, manual].map(nameOf).sort());
});

test('a press right after the page was loaded downloads what had broken off before', async () => {
  const feltPiano = await openFeltPiano();
  const { win, mac, manual } = feltPiano.files;
  Object.assign(win, { allowed: win.size / 2, breaks: true });
  const page = await openDownloadPage(browser, feltPiano);
  const broken = page.waitForEvent('download');
  await line(page, win.name).getByRole('link').first().click();
  expect(await (await broken).failure()).not.toBe(null);
  Object.assign(win, { allowed: win.size, breaks: false });
  await page.reload();
  const names = noteDownloads(page);
  await page.locator('[data-believed]').waitFor();
  await page.getByRole('button', ALL).click();
  for (const { name } of [win, mac, manual]) await line(page, name).getByText('Sent whole').waitFor();
  expect(names.sort()).toEqual([win, mac, manual].map(nameOf).sort());
});

test('a press of the button for all files skips those that were pressed meanwhile', async () => {
  const feltPiano = await openFeltPiano();
  const { win, mac, manual } = feltPiano.files;
  // The answer to HEAD, for which the loop waits, is held up: browsers may drop one of two downloads that begin at once.
  const page = await openDownloadPage(
    browser,
    feltPiano,
    `
    const answered = new Promise((resolve) => { window.letAnswer = resolve; });
    const { fetch } = window;
    window.fetch = async (url, options) => {
      if (options?.method === 'HEAD') await answered;
      return fetch(url, options);
    };
    `,
  );
  const names = noteDownloads(page);
  await page.getByRole('button', ALL).click();
  for (const { name } of [manual, mac]) {
    await page.evaluate(`document.querySelector('[data-name="${name}"] [data-part=button]').click()`);
    await line(page, name).getByText('Sent whole').waitFor();
  }
  await page.evaluate('letAnswer()');
  await line(page, win.name).getByText('Sent whole').waitFor();
  await waitForEnabled(page);
  expect(names.sort()).toEqual([win, mac, manual].map(nameOf).sort());
});

test('the button for all files of a link that has expired leads to the page that mails a new one', async () => {
  const { app, clock, libraryToken } = await sellPads(undefined, ({ links }) => ({
    links: {
      ...links,
      listOfBuyer: async (...asked) =>
        (await links.listOfBuyer(...asked)).map((item) => ({
          ...item,
          version: { label: '1.0', files: [PADS, KEYS] },
        })),
    },
  }));
  const page = await (await browser.open(SCREENS.desktop)).newPage();
  await page.goto(`http://127.0.0.1:${await listen(app)}/my/${libraryToken}`);
  clock.advance(48 * 60 * 60 * 1000);
  await page.getByRole('button', { name: 'Download both files' }).click();
  await page.getByRole('button', { name: 'Mail me a new link' }).waitFor();
});

test('the button for all files does not wait for ever to hear whether its link works', async () => {
  const feltPiano = await openFeltPiano();
  const { win, mac, manual } = feltPiano.files;
  // HEAD has no answer, and time limits pass fifty times as fast.
  const page = await openDownloadPage(
    browser,
    feltPiano,
    `
    const { timeout } = AbortSignal;
    AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / 50);
    const { fetch } = window;
    window.fetch = (url, options) =>
      options?.method === 'HEAD'
        ? new Promise((_, reject) => options.signal?.addEventListener('abort', reject))
        : fetch(url, options);
    `,
  );
  await page.getByRole('button', ALL).click();
  for (const { name } of [win, mac, manual]) await line(page, name).getByText('Sent whole').waitFor();
});

/** A library of so many purchases of one file each, all but the second of which have a link that works. */
async function openLibrary(purchases: number) {
  const { app, libraryToken } = await sellPads(undefined, ({ links }) => ({
    links: {
      ...links,
      listOfBuyer: async (...asked) => {
        const [item] = await links.listOfBuyer(...asked);
        if (!item) throw new Error('Nothing was bought.');
        const ended = item.link && { ...item.link, id: '019c3f2b-1c2d-7e3f-8a4b-5c6d7e8f9a0b' };
        return Array.from({ length: purchases }, (_, at) => (at === 1 ? { ...item, link: ended } : item));
      },
    },
  }));
  const page = await (await browser.open(SCREENS.desktop)).newPage();
  await page.goto(`http://127.0.0.1:${await listen(app)}/my/${libraryToken}`);
  return page;
}

test('one press downloads the files of all purchases of a library, but for those whose link has ended', async () => {
  const page = await openLibrary(3);
  const names = noteDownloads(page);
  await page.getByRole('button', { name: 'Download all 3 files (15 bytes)' }).click();
  const asks = page.getByRole('status').filter({ hasText: 'Your browser may ask' });
  await asks.waitFor();
  await waitForEnabled(page);
  // One of the three leads to no file any more.
  await page.getByRole('status').filter({ hasText: '2 of 3 files begun.' }).waitFor();
  await vi.waitUntil(() => names.length === 2, WAIT_TIMEOUT_MS);
  expect(names).toEqual(['pads.zip', 'pads.zip']);
  expect(page.url()).toContain('/my/');
  await page.getByRole('button', { name: 'Download all 3 files (15 bytes)' }).click();
  await asks.waitFor();
});

test('a press that began one file says so in the end, and no longer that the browser may ask for several', async () => {
  const page = await openLibrary(2);
  await page.getByRole('button', { name: 'Download both files (10 bytes)' }).click();
  await page.getByRole('status').filter({ hasText: 'Your browser may ask' }).waitFor();
  await page.getByRole('status').filter({ hasText: '1 of 2 files begun.' }).waitFor();
});
