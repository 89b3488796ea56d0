import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { takePicture, useBrowser } from '../../../test/browser.ts';
import { runAxe } from '../../../test/run-axe.ts';
import type { OpenedDashboard } from './open-dashboard.ts';
import { hurry } from './open-in-browser.ts';
import { openProductPage, openVersion } from './open-product-page.ts';

const browser = useBrowser();
const open = (options: Parameters<typeof openProductPage>[1] = {}) => openProductPage(browser, options);

/** Files on a disk, as browsers choose them. */
async function writeFiles(files: Readonly<Record<string, Uint8Array>>): Promise<readonly string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'handover-upload-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const entries = Object.entries(files);
  await Promise.all(entries.map(([name, content]) => writeFile(join(directory, name), content)));
  return entries.map(([name]) => join(directory, name));
}

/** Takes eight seconds at the rate that `throttle` allows. */
const LARGE = 8_000_000;

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function filesOf({ stores, shop }: OpenedDashboard, versionId: string) {
  return stores.products
    .findVersion(shop.orgId, shop.product.id, versionId)
    .then((version) => version?.files.map(({ name, sha256 }) => [name, sha256]));
}

/** Lets the page send a megabyte in a second, or less, until it is told to stop that. */
async function throttle(page: Page, bytesASecond = 1_000_000): Promise<{ stop(): Promise<void> }> {
  const session = await page.context().newCDPSession(page);
  const offline = false;
  const conditions = { offline, latency: 0, downloadThroughput: -1, uploadThroughput: bytesASecond };
  await session.send('Network.emulateNetworkConditions', conditions);
  return { stop: () => session.detach() };
}

test('an upload shows its progress, pauses and resumes, and becomes a file with its hash', async () => {
  const opened = await open();
  const version = await openVersion(opened);
  const content = randomBytes(LARGE);
  const [path = ''] = await writeFiles({ 'strings.part1.zip': content });
  await opened.go(opened.productPath);
  const throttled = await throttle(opened.page, 250_000);
  const card = opened.page.getByRole('region', { name: 'Version 1.1' });
  await card.locator('input[type=file]').setInputFiles(path);
  const row = card.locator('.upload');
  await row.getByText(/ of 8\.0 MB, about \d+ s left/).waitFor();
  expect(await runAxe(opened.page)).toEqual([]);
  await takePicture(opened.page, 'product-uploading');
  expect(await card.getByRole('button', { name: 'Make live' }).isDisabled()).toBe(true);
  await row.getByRole('button', { name: 'Pause: strings.part1.zip' }).press('Enter');
  await row.getByText(/^Paused at \d+ %/).waitFor();
  await throttled.stop();
  await row.getByRole('button', { name: 'Resume: strings.part1.zip' }).press('Enter');
  const sha256 = hashOf(content);
  await row.getByText(`sha256 ${sha256.slice(0, 4)}…${sha256.slice(-4)}`).waitFor();
  // The pressed button is gone.
  expect(await opened.page.evaluate('document.activeElement.textContent.trim()')).toBe('Add files');
  expect(await filesOf(opened, version.id)).toEqual([['strings.part1.zip', sha256]]);
  await card.getByRole('button', { name: 'Make live' }).click();
  await opened.page.getByRole('status').getByText('Version 1.1 is live').waitFor();
});

test('a paused upload resumes when its file is chosen again, and says that another file of its name has to wait', async () => {
  const opened = await open();
  const version = await openVersion(opened);
  const content = randomBytes(LARGE);
  const [path = ''] = await writeFiles({ 'strings.zip': content });
  const [other = ''] = await writeFiles({ 'strings.zip': Buffer.from('other') });
  await opened.go(opened.productPath);
  const throttled = await throttle(opened.page, 250_000);
  const row = opened.page.locator('.upload');
  const choose = (chosen: string) => opened.page.locator('input[type=file]').setInputFiles(chosen);
  await choose(path);
  await row.getByText(/ of 8\.0 MB, about/).waitFor();
  await row.getByRole('button', { name: 'Pause: strings.zip' }).press('Enter');
  await choose(other);
  await row
    .getByText(/^Paused at \d+ %\. Choose the other file of this name again once this one is uploaded$/)
    .waitFor();
  await throttled.stop();
  await choose(path);
  const sha256 = hashOf(content);
  await row.getByText(`sha256 ${sha256.slice(0, 4)}…${sha256.slice(-4)}`).waitFor();
  expect(await filesOf(opened, version.id)).toEqual([['strings.zip', sha256]]);
});

test('an interrupted upload resumes at its offset, after a reload with the same file', async () => {
  const opened = await open();
  await hurry(opened.page);
  const version = await openVersion(opened);
  const content = randomBytes(LARGE);
  const [path = ''] = await writeFiles({ 'strings.part2.zip': content });
  await opened.go(opened.productPath);
  const first = await throttle(opened.page);
  const row = opened.page.locator('.upload');
  const choose = () => opened.page.locator('input[type=file]').setInputFiles(path);
  await choose();
  await row.getByText(/ of 8\.0 MB, about/).waitFor();
  await opened.page.route('**/api/uploads/**', (route) => route.abort('connectionreset'));
  opened.app.server.closeAllConnections();
  // A browser that holds back what it sends notices seconds later.
  await first.stop();
  await row.getByText(/^Stopped at \d+ %, the connection broke\./).waitFor();
  expect(await runAxe(opened.page)).toEqual([]);
  await takePicture(opened.page, 'product-stopped');
  await opened.page.unroute('**/api/uploads/**');
  const second = await throttle(opened.page);
  await row.getByRole('button', { name: 'Resume: strings.part2.zip' }).click();
  await row.getByText(/ of 8\.0 MB, about/).waitFor();
  await opened.page.reload();
  await row.getByText('Not complete. Pick the same file again to resume.').waitFor();
  const begun: string[] = [];
  opened.page.on('request', (request) => {
    if (request.url().includes('/api/uploads')) begun.push(request.method());
  });
  await second.stop();
  await choose();
  const sha256 = hashOf(content);
  await row.getByText(`sha256 ${sha256.slice(0, 4)}…${sha256.slice(-4)}`).waitFor();
  expect(begun).toContain('HEAD');
  expect(begun).not.toContain('POST');
  expect(await filesOf(opened, version.id)).toEqual([['strings.part2.zip', sha256]]);
});

test('a page that was left open for a day uploads a file', async () => {
  const opened = await open();
  const version = await openVersion(opened);
  const content = randomBytes(1000);
  const [path = ''] = await writeFiles({ 'strings.zip': content });
  await opened.go(opened.productPath);
  const day = 24 * 60 * 60 * 1000;
  opened.clock.advance(day);
  await opened.page.clock.setSystemTime(Date.now() + day);
  await opened.page.locator('input[type=file]').setInputFiles(path);
  await opened.page.locator('.upload').getByText('sha256').waitFor();
  expect(await filesOf(opened, version.id)).toEqual([['strings.zip', hashOf(content)]]);
});

test('an upload that was refused without a session goes on after another sign-in', async () => {
  const opened = await open();
  const version = await openVersion(opened);
  const content = randomBytes(1000);
  const [path = ''] = await writeFiles({ 'strings.zip': content });
  await opened.go(opened.productPath);
  await opened.context.clearCookies();
  await opened.page.locator('input[type=file]').setInputFiles(path);
  const row = opened.page.locator('.upload');
  await row.getByText('You are signed out. Sign in again, and go on.').waitFor();
  const { cookies } = await opened.signIn('owner');
  const held = [...cookies].map(([name, value]) => ({ name, value, url: opened.site }));
  await opened.context.addCookies(held);
  await row.getByRole('button', { name: 'Try again' }).click();
  await row.getByText('sha256').waitFor();
  expect(await filesOf(opened, version.id)).toEqual([['strings.zip', hashOf(content)]]);
});

test('an upload that a proxy refuses says so, and not that the connection broke', async () => {
  const opened = await open();
  await openVersion(opened);
  const [path = ''] = await writeFiles({ 'strings.zip': randomBytes(1000) });
  await opened.go(opened.productPath);
  const page = { status: 413, contentType: 'text/html', body: '<h1>413 Request Entity Too Large</h1>' };
  await opened.page.route('**/api/uploads/**', (route) => route.fulfill(page));
  await opened.page.locator('input[type=file]').setInputFiles(path);
  await opened.page.locator('.upload').getByText('Stopped at 0 %, a proxy answered 413.').waitFor();
});

test('a cancelled upload is removed', async () => {
  const opened = await open();
  await openVersion(opened);
  const [path = ''] = await writeFiles({ 'strings.zip': randomBytes(LARGE) });
  await opened.go(opened.productPath);
  await throttle(opened.page);
  await opened.page.locator('input[type=file]').setInputFiles(path);
  await opened.page
    .locator('.upload')
    .getByText(/ of 8\.0 MB, about/)
    .waitFor();
  await opened.page.reload();
  const gone = opened.page.waitForResponse((response) => response.request().method() === 'DELETE');
  await opened.page.getByRole('button', { name: 'Forget it' }).click();
  expect((await gone).status()).toBe(204);
  await opened.page.locator('.upload').waitFor({ state: 'detached' });
  await opened.page.reload();
  await opened.page.getByText('Drop files here').waitFor();
  expect(await opened.page.locator('.upload').count()).toBe(0);
});

test('files can be dropped on a version', async () => {
  const opened = await open();
  const version = await openVersion(opened);
  await opened.go(opened.productPath);
  await opened.page.locator('[data-uploads][data-ready]').waitFor();
  const transfer = await opened.page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['one'], 'one.txt'));
    transfer.items.add(new File(['two'], 'two.txt'));
    return transfer;
  })()`);
  await opened.page.dispatchEvent('section.card[data-version]', 'drop', { dataTransfer: transfer });
  await opened.page.locator('.upload[data-state="done"]').nth(1).waitFor();
  const files = await filesOf(opened, version.id);
  expect(files?.sort()).toEqual([
    ['one.txt', hashOf(Buffer.from('one'))],
    ['two.txt', hashOf(Buffer.from('two'))],
  ]);
});

test('a file that was uploaded a moment ago is replaced by another one with its name', async () => {
  const opened = await open();
  const version = await openVersion(opened);
  await opened.go(opened.productPath);
  const done = opened.page.locator('.upload[data-state="done"]');
  for (const text of ['wrong', 'right']) {
    const [path = ''] = await writeFiles({ 'manual.pdf': Buffer.from(text) });
    await opened.page.locator('input[type=file]').setInputFiles(path);
    await done.getByText(`sha256 ${hashOf(Buffer.from(text)).slice(0, 4)}…`).waitFor();
  }
  expect(await done.count()).toBe(1);
  expect(await filesOf(opened, version.id)).toEqual([['manual.pdf', hashOf(Buffer.from('right'))]]);
});

test('a form uploads a file without a script', async () => {
  const opened = await open({ javaScriptEnabled: false });
  const version = await openVersion(opened);
  const [path = ''] = await writeFiles({ 'plain.zip': Buffer.from('plain') });
  await opened.go(opened.productPath);
  await opened.page.locator('input[type=file]').setInputFiles(path);
  await opened.page.getByRole('button', { name: 'Add file' }).click();
  await opened.page.getByText('plain.zip is uploaded').waitFor();
  expect(await filesOf(opened, version.id)).toEqual([['plain.zip', hashOf(Buffer.from('plain'))]]);
});
