import { readFile } from 'node:fs/promises';
import type { Page, Route } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { findUsed, line, openDownloadPage } from './download-page.ts';
import { openFeltPiano } from './open-felt-piano.ts';

const browser = useBrowser();

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: `Download ${name}` }).click();
}

test('a file’s row shows its progress, then that it was sent whole, and the link is used', async () => {
  const feltPiano = await openFeltPiano();
  const { win, manual } = feltPiano.files;
  win.allowed = Math.floor(win.size * 0.42);
  const page = await openDownloadPage(browser, feltPiano);
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

test('on a phone, neither what was sent nor the time left is broken in two', async () => {
  const { address } = await openFeltPiano();
  const page = await (
    await browser.open({ locale: 'de-DE', viewport: { width: 340, height: 700 } })
  ).newPage();
  await page.goto(address);
  const sending = page.locator('[data-part="sending"]').first();
  const [sent, left] = [sending.locator('[data-part="sent"]'), sending.locator('[data-part="left"]')];
  await sending.evaluate((shown) => shown.removeAttribute('hidden'));
  await left.evaluate((shown) => shown.append('x'));
  const oneLine = (await left.boundingBox())?.height;
  await sent.evaluate((shown) => shown.append('324 MB von 2 GB übertragen'));
  await left.evaluate((shown) => shown.append('noch etwa 40 min'));
  const heights = [(await sent.boundingBox())?.height, (await left.boundingBox())?.height];
  expect(heights).toEqual([oneLine, oneLine]);
});

test('an interrupted download shows its progress, and resumes', async () => {
  const feltPiano = await openFeltPiano();
  const { win } = feltPiano.files;
  const half = win.size / 2;
  Object.assign(win, { allowed: half, breaks: true });
  const page = await openDownloadPage(browser, feltPiano);
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
  const page = await openDownloadPage(browser, feltPiano);
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
  const page = await openDownloadPage(browser, feltPiano);
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

test.each([404, 429, 500, 503])(
  'a page keeps its numbers while the server or a proxy answers %i',
  async (status) => {
    const feltPiano = await openFeltPiano();
    const { win } = feltPiano.files;
    win.allowed = win.size / 2;
    const page = await openDownloadPage(browser, feltPiano);
    await press(page, win.name);
    await line(page, win.name).getByText('1.6 of 3.1 MB sent').waitFor();
    await page.route('**/progress', (route) => route.fulfill({ status }));
    // The page asks again once it has dealt with the answer before.
    for (let asked = 0; asked < 2; asked += 1) {
      await page.waitForResponse(
        (answer) => answer.url().endsWith('/progress') && answer.status() === status,
      );
    }
    expect(await line(page, win.name).textContent()).toContain('1.6 of 3.1 MB sent');
    expect(await page.getByText('no connection right now').count()).toBe(0);
    await page.unroute('**/progress');
    win.allowed = win.size;
    await line(page, win.name).getByText('Sent whole').waitFor();
  },
);

test.each([
  ['the server', 503],
  ['a proxy', 404],
])(
  'a download is reported complete, though %s answered %i when it ended and for a while after',
  async (_, status) => {
    const feltPiano = await openFeltPiano();
    const { manual } = feltPiano.files;
    const page = await openDownloadPage(browser, feltPiano);
    await page.route('**/download-complete', refuseOnce, { times: 1 });
    async function refuseOnce(route: Route) {
      await page.route('**/progress', (asked) => asked.fulfill({ status }), { times: 2 });
      await route.fulfill({ status });
    }
    await press(page, manual.name);
    await vi.waitUntil(async () => (await findUsed(feltPiano)) !== null, WAIT_TIMEOUT_MS);
  },
);

test('a request for the numbers that is never answered is given up, and the page asks again', async () => {
  const feltPiano = await openFeltPiano();
  const { win } = feltPiano.files;
  win.allowed = win.size / 2;
  const soon = `AbortSignal.timeout = () => {
    const limit = new AbortController();
    setTimeout(() => limit.abort(), 10_000);
    return limit.signal;
  };`;
  const page = await openDownloadPage(browser, feltPiano, soon);
  await press(page, win.name);
  await line(page, win.name).getByText('1.6 of 3.1 MB sent').waitFor();
  const held = Promise.withResolvers<void>();
  await page.route('**/progress', () => held.resolve(), { times: 1 });
  await held.promise;
  win.allowed = win.size;
  await line(page, win.name).getByText('Sent whole').waitFor();
});

test('a browser that cannot limit the time of a request, such as that of iOS 15, shows the progress, too', async () => {
  const feltPiano = await openFeltPiano();
  const { manual } = feltPiano.files;
  const page = await openDownloadPage(browser, feltPiano, 'delete AbortSignal.timeout;');
  await press(page, manual.name);
  await line(page, manual.name).getByText('Sent whole').waitFor();
  await vi.waitUntil(async () => (await findUsed(feltPiano)) !== null, WAIT_TIMEOUT_MS);
});

test('a page opened during a download shows its progress', async () => {
  const feltPiano = await openFeltPiano();
  const { mac } = feltPiano.files;
  mac.allowed = mac.size / 2;
  const page = await openDownloadPage(browser, feltPiano);
  await press(page, mac.name);
  await line(page, mac.name).getByText('50 %').or(line(page, mac.name).getByText('49 %')).waitFor();
  const second = await openDownloadPage(browser, feltPiano);
  await line(second, mac.name).getByText('1.6 of 3.2 MB sent').waitFor();
  mac.allowed = mac.size;
  await line(second, mac.name).getByText('Sent whole').waitFor();
});

test('a file that is pressed while the session of the others is being completed is shown as sent whole', async () => {
  const feltPiano = await openFeltPiano();
  const { win, manual } = feltPiano.files;
  const page = await openDownloadPage(browser, feltPiano);
  const completing = Promise.withResolvers<Route>();
  await page.route('**/download-complete', (route) => completing.resolve(route), { times: 1 });
  await press(page, win.name);
  const completion = await completing.promise;
  // The page sees the second file only once its session is complete.
  await page.route('**/progress', (route) => void hold(route));
  const completed = Promise.withResolvers<void>();
  async function hold(route: Route) {
    await completed.promise;
    await route.continue();
  }
  const downloading = page.waitForEvent('download');
  await press(page, manual.name);
  await (await downloading).path();
  const named = feltPiano.ports.tokens.open(feltPiano.token);
  const { sessions } = feltPiano.ports;
  await vi.waitUntil(async () => {
    const session = await sessions.latest(named?.orgId ?? '', named?.linkId ?? '');
    return session?.files.some(({ name }) => name === manual.name);
  }, WAIT_TIMEOUT_MS);
  await completion.continue();
  await vi.waitUntil(async () => (await findUsed(feltPiano)) !== null, WAIT_TIMEOUT_MS);
  completed.resolve();
  await line(page, manual.name).getByText('Sent whole').waitFor();
});

test('files that arrive whole at once are said together', async () => {
  const feltPiano = await openFeltPiano();
  const { win, manual } = feltPiano.files;
  const page = await openDownloadPage(browser, feltPiano);
  const [session, files] = [{ id: 'one', completedAt: null, lastByteAt: null }, [win, manual]];
  let isWhole = false;
  await page.route('**/progress', (route) =>
    route.fulfill({
      json: {
        session: isWhole ? session : null,
        files: files.map(({ name, size }) => ({ name, version: '2.1', sent: size, whole: true })),
        whole: isWhole,
      },
    }),
  );
  await page.route('**/download-complete', (route) => route.fulfill({ status: 400, json: {} }));
  for (const { name } of files) await press(page, name);
  isWhole = true;
  await page
    .getByRole('status')
    .filter({ hasText: `${win.name}: sent whole. ${manual.name}: sent whole` })
    .waitFor();
});
