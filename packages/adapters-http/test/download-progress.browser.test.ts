import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { SCREENS, useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { type FeltPiano, openFeltPiano } from './open-felt-piano.ts';
import { hurry } from './open-in-browser.ts';
import { listen } from './over-the-wire.ts';
import { sellPads } from './sell-pads.ts';

const browser = useBrowser();

async function openPage(feltPiano: FeltPiano, script = ''): Promise<Page> {
  const context = await browser.open(SCREENS.desktop);
  await context.addInitScript(script);
  const page = await context.newPage();
  await hurry(page);
  await page.goto(feltPiano.address);
  return page;
}

function line(page: Page, name: string) {
  return page.getByRole('listitem').filter({ hasText: name });
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: `Download ${name}` }).click();
}

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

async function findUsed(feltPiano: FeltPiano): Promise<Date | null> {
  const named = feltPiano.ports.tokens.open(feltPiano.token);
  return (await feltPiano.ports.links.find(named?.orgId ?? '', named?.linkId ?? ''))?.usedAt ?? null;
}

test('a file’s row shows its progress, then that it was sent whole, and the link is used', async () => {
  const feltPiano = await openFeltPiano();
  const { win, manual } = feltPiano.files;
  win.allowed = Math.floor(win.size * 0.42);
  const page = await openPage(feltPiano);
  await press(page, manual.name);
  await line(page, manual.name).getByText('Sent whole').waitFor();
  await vi.waitUntil(async () => (await findUsed(feltPiano)) !== null, WAIT_TIMEOUT_MS);
  const downloading = page.waitForEvent('download');
  await press(page, win.name);
  const download = await downloading;
  await line(page, win.name)
    .getByText(/^4[012] %$/)
    .waitFor();
  await line(page, win.name).getByText('1.3 of 3.1 MB sent').waitFor();
  expect(await page.getByRole('progressbar', { name: win.name }).count()).toBe(1);
  await page
    .getByRole('status')
    .filter({ hasText: `${win.name}: 25 % sent` })
    .waitFor();
  await page.getByText('Check the file (SHA-256)').nth(1).click();
  await expectAccessible(page, 'progress');
  win.allowed = win.size;
  await line(page, win.name).getByText('Sent whole').waitFor();
  expect(await line(page, win.name).getByRole('link', { name: 'Download again' }).count()).toBe(1);
  expect(await download.failure()).toBe(null);
  const named = feltPiano.ports.tokens.open(feltPiano.token);
  const latest = () => feltPiano.ports.sessions.latest(named?.orgId ?? '', named?.linkId ?? '');
  await vi.waitUntil(async () => (await latest())?.completedAt !== null, WAIT_TIMEOUT_MS);
  const first = (await latest())?.id;
  // The browser has kept it: without more ado it would only ask whether that is still right, and the line would wait.
  const again = page.waitForEvent('download');
  await line(page, win.name).getByRole('link', { name: 'Download again' }).click();
  expect(await readFile(await (await again).path())).toEqual(win.content);
  await line(page, win.name).getByText('Sent whole').waitFor();
  expect((await latest())?.id).not.toBe(first);
});

test('an interrupted download shows its progress, and resumes', async () => {
  const feltPiano = await openFeltPiano();
  const { win } = feltPiano.files;
  const half = win.size / 2;
  Object.assign(win, { allowed: half, breaks: true });
  const page = await openPage(feltPiano);
  await page.clock.install();
  await press(page, win.name);
  await vi.waitFor(
    async () => {
      await page.clock.fastForward(2000);
      expect(await line(page, win.name).textContent()).toContain('It stopped at');
    },
    { timeout: 30_000, interval: 300 },
  );
  expect(await line(page, win.name).textContent()).toMatch(
    /It stopped at 1\.[0-9] of 3\.1 MB\. To continue from there, press Resume in your browser’s list of downloads\./,
  );
  await expectAccessible(page, 'stopped');
  expect(await findUsed(feltPiano)).toBe(null);
  Object.assign(win, { allowed: win.size, breaks: false });
  // What the browser's Resume sends.
  const at = await page.getByRole('link', { name: `Download ${win.name}` }).getAttribute('href');
  const headers = { range: `bytes=${Math.floor(half / 2)}-`, 'if-range': `"${win.sha256}"` };
  const rest = await fetch(new URL(at ?? '', feltPiano.origin), { headers });
  expect(rest.status).toBe(206);
  const resumed = Buffer.from(await rest.arrayBuffer());
  expect(resumed).toEqual(win.content.subarray(Math.floor(half / 2)));
  await vi.waitFor(
    async () => {
      await page.clock.fastForward(4000);
      expect(await line(page, win.name).textContent()).toContain('Sent whole');
      expect(await findUsed(feltPiano)).not.toBe(null);
    },
    { timeout: 30_000, interval: 300 },
  );
});

test('keyboard focus moves from the button to the file’s name', async () => {
  const feltPiano = await openFeltPiano();
  feltPiano.files.win.allowed = 50_000;
  const page = await openPage(feltPiano);
  // The first stop is the button for all files.
  for (let pressed = 0; pressed < 2; pressed += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('progressbar', { name: feltPiano.files.win.name }).waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toBe(feltPiano.files.win.name);
  feltPiano.files.win.allowed = feltPiano.files.win.size;
});

test('a page without a connection says so, and shows no time left', async () => {
  const feltPiano = await openFeltPiano();
  const { win } = feltPiano.files;
  win.allowed = win.size / 2;
  const page = await openPage(feltPiano);
  await press(page, win.name);
  await line(page, win.name).getByText('1.6 of 3.1 MB sent').waitFor();
  await page.context().setOffline(true);
  await line(page, win.name).getByText('no connection right now').waitFor();
  await page.getByRole('status').filter({ hasText: 'no connection right now' }).waitFor();
  expect(await line(page, win.name).textContent()).not.toContain(' left');
  await page.context().setOffline(false);
  await line(page, win.name).getByText('no connection right now').waitFor({ state: 'hidden' });
  await page
    .getByRole('status')
    .filter({ hasText: 'no connection right now' })
    .waitFor({ state: 'detached' });
  win.allowed = win.size;
});

test.each([429, 500, 503])('a page keeps its numbers while the server answers %i', async (status) => {
  const feltPiano = await openFeltPiano();
  const { win } = feltPiano.files;
  win.allowed = win.size / 2;
  const page = await openPage(feltPiano);
  await press(page, win.name);
  await line(page, win.name).getByText('1.6 of 3.1 MB sent').waitFor();
  await page.route('**/progress', (route) => route.fulfill({ status }));
  // The page asks again once it has dealt with the answer before.
  for (let asked = 0; asked < 2; asked += 1) {
    await page.waitForResponse((answer) => answer.url().endsWith('/progress') && answer.status() === status);
  }
  expect(await line(page, win.name).textContent()).toContain('1.6 of 3.1 MB sent');
  expect(await page.getByText('no connection right now').count()).toBe(0);
  await page.unroute('**/progress');
  win.allowed = win.size;
  await line(page, win.name).getByText('Sent whole').waitFor();
});

test('one press downloads all files of the page, and the link is used', async () => {
  const feltPiano = await openFeltPiano();
  const page = await openPage(feltPiano);
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
  const page = await openPage(feltPiano);
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
  const page = await openPage(feltPiano);
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

test('a later press sends again what was sent whole, and restarts nothing', async () => {
  const feltPiano = await openFeltPiano();
  const { win, mac, manual } = feltPiano.files;
  win.allowed = win.size / 2;
  mac.allowed = mac.size / 2;
  const page = await openPage(feltPiano);
  const names = noteDownloads(page);
  await page.getByRole('button', ALL).click();
  await line(page, manual.name).getByText('Sent whole').waitFor();
  await waitForEnabled(page);
  await page.getByRole('button', ALL).click();
  await waitForEnabled(page);
  win.allowed = win.size;
  mac.allowed = mac.size;
  for (const { name } of [win, mac, manual]) await line(page, name).getByText('Sent whole').waitFor();
  expect(names.sort()).toEqual([win, mac, manual, manual].map(nameOf).sort());
});

test('a press of the button for all files skips one that was pressed meanwhile', async () => {
  const feltPiano = await openFeltPiano();
  const { win, mac, manual } = feltPiano.files;
  const page = await openPage(feltPiano);
  const names = noteDownloads(page);
  // Both at once: the loop has not come to the last file.
  await page.evaluate(`
    document.querySelector('[data-all] button').click();
    document.querySelector('[data-name="${manual.name}"] [data-part=button]').click();
  `);
  for (const { name } of [win, mac, manual]) await line(page, name).getByText('Sent whole').waitFor();
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
  const page = await openPage(
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

test('a page opened during a download shows its progress', async () => {
  const feltPiano = await openFeltPiano();
  const { mac } = feltPiano.files;
  mac.allowed = mac.size / 2;
  const page = await openPage(feltPiano);
  await press(page, mac.name);
  await line(page, mac.name).getByText('50 %').or(line(page, mac.name).getByText('49 %')).waitFor();
  const second = await openPage(feltPiano);
  await line(second, mac.name).getByText('1.6 of 3.2 MB sent').waitFor();
  mac.allowed = mac.size;
  await line(second, mac.name).getByText('Sent whole').waitFor();
});
