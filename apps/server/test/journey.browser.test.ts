import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../../test/browser.ts';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { shareInFile } from '../../../test/undo.ts';
import { runCliHere, startServer } from './support/server-process.ts';
import { type ListedPurchase, listPurchases, until } from './support/shop.ts';

const browser = useBrowser();

/**
 * The program on an empty directory, with its demo organisation and a browser that is signed in by the printed link.
 * Each test has its own product and reads no other.
 */
const installation = shareInFile(async () => {
  const dataDir = await makeTemporaryDirectory();
  const server = await startServer({ DATA_DIR: dataDir });
  await server.waitForLine(/Ctrl-C stops/);
  const tour = server.printed();
  const find = (pattern: RegExp) => pattern.exec(tour)?.[1] ?? '';
  const context = await browser.open(SCREENS.desktop);
  const page = await context.newPage();
  await page.goto(find(/(http\S+\/dashboard\/sign-in\/\S+)/));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !url.pathname.includes('sign-in'));
  const apiKey = find(/Bearer (hnd_\w+)/);
  return { dataDir, url: server.url, orgId: find(/--org (\S+)/), apiKey, context };
});

/** The installation, and this test's own page. */
async function openInstallation() {
  const { dataDir, url, orgId, apiKey, context } = installation();
  /** Sends a paid order as the platform would. */
  const order = async (orderNumber: string, sku: string) => {
    const words = ['simulate', 'storefront-a', '--org', orgId, '--sku', sku, '--order', orderNumber];
    const { code, stdout, stderr } = await runCliHere({ DATA_DIR: dataDir }, words);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('The server answered 200');
  };
  const listSold = async (slug: string): Promise<readonly ListedPurchase[]> =>
    (await listPurchases(url, apiKey)).filter(({ productSlug }) => productSlug === slug);
  return { dataDir, url, page: await context.newPage(), order, listSold };
}

type Installation = Awaited<ReturnType<typeof openInstallation>>;

/** Adds a product with a live version of one file by hand; returns the URL of its page. */
async function addProduct({ page, url, dataDir }: Installation, name: string, content: Uint8Array) {
  const file = join(dataDir, `${name}.zip`);
  await writeFile(file, content);
  await page.goto(`${url}/dashboard/products/new`);
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Add product' }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  const address = page.url();
  const card = page.getByRole('region', { name: 'Version 1.0' });
  await card.locator('[data-uploads][data-ready]').waitFor();
  await card.locator('input[type=file]').setInputFiles(file);
  const sha256 = createHash('sha256').update(content).digest('hex');
  await card.getByText(`sha256 ${sha256.slice(0, 4)}…${sha256.slice(-4)}`).waitFor();
  await card.getByRole('button', { name: 'Make live' }).click();
  await page.getByText('Version 1.0 is live').waitFor();
  return address;
}

/** Buys in a second window, from the page of the demo's shop. */
async function sendTestOrder({ page, url }: Installation, product: string): Promise<void> {
  const second = await page.context().newPage();
  await second.goto(`${url}/dashboard/settings/integrations/storefront-a`);
  await second.getByLabel('Product').selectOption({ label: product });
  await second.getByRole('button', { name: 'Send test order' }).click();
  await second.waitForURL(/webhook-log/);
  await second.close();
}

test('a product is uploaded and published, an order for it arrives in the log, and its timeline ends', async () => {
  const installation = await openInstallation();
  const { page } = installation;
  const content = randomBytes(3_000_000);
  await addProduct(installation, 'Night Strings', content);
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Published', { exact: true }).first().waitFor();

  await page.goto(`${installation.url}/dashboard/webhook-log`);
  const loaded = await page.evaluate<number>('performance.timeOrigin');
  await sendTestOrder(installation, 'Night Strings');
  const row = page.locator('.log-row', { hasText: 'night-strings' });
  await row.getByText('Success').waitFor();
  expect(await page.evaluate<number>('performance.timeOrigin')).toBe(loaded);
  await row.getByRole('link').click();
  await page.getByRole('article').getByText('Night Strings').first().waitFor();

  const [purchase] = await installation.listSold('night-strings');
  await page.goto(purchase?.downloadUrl ?? '');
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download Night Strings.zip' }).click();
  const chunks: Buffer[] = [];
  for await (const chunk of await (await downloading).createReadStream()) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).equals(content)).toBe(true);
  // The page reports the complete download to the server.
  await page.getByText('Sent whole', { exact: true }).waitFor();

  await page.goto(`${installation.url}/dashboard/purchases`);
  await page.locator('tr', { hasText: 'Night Strings' }).locator('.row-link').click();
  await page.getByText('Order received').waitFor();
  const end = page.locator('ol.timeline li:not([data-waits])', { hasText: 'Download completed' });
  await until(async () => {
    await page.reload();
    return (await end.count()) > 0;
  });
});

test('the button that publishes a draft delivers its held orders', async () => {
  const installation = await openInstallation();
  const { page } = installation;
  const address = await addProduct(installation, 'Tape Loops', randomBytes(1000));
  await installation.order('7002', 'tape-loops');
  await page.goto(address);
  await page.getByText('1 order is waiting for this product').waitFor();
  await page.getByText(/^Publishing delivers version 1\.0 to .+ and mails a receipt\./).waitFor();
  expect(await installation.listSold('tape-loops')).toEqual([]);
  await page.getByRole('button', { name: 'Publish and deliver 1' }).click();
  await page.getByText('Delivering 1 order').waitFor();
  await until(async () => (await installation.listSold('tape-loops'))[0]?.receiptSentAt);
  await page.reload();
  expect(await page.getByText('waiting for this product').count()).toBe(0);
  await page.goto(`${installation.url}/dashboard/webhook-log`);
  await page.locator('.log-row', { hasText: '7002' }).getByText('Success').waitFor();
});

test('mapping an unknown SKU delivers the order that waited for it', async () => {
  const installation = await openInstallation();
  const { page } = installation;
  const address = await addProduct(installation, 'Glass Bells', randomBytes(1000));
  await page.getByRole('button', { name: 'Publish' }).click();
  await installation.order('7003', 'BELLS-2');
  await page.goto(`${address}/skus`);
  await page.getByLabel('SKU', { exact: true }).fill('bells-2');
  await page.getByRole('button', { name: 'Add SKU' }).click();
  await page.getByText('1 order is waiting for this SKU').waitFor();
  await page.getByRole('button', { name: 'Add SKU and deliver 1' }).click();
  await page.getByText('bells-2 is added').waitFor();
  await until(async () => (await installation.listSold('glass-bells')).length === 1);
});
