// When the largest element of a page is shown (LCP) to somebody with slow 4G and a processor a quarter as fast, without
// anything in the browser's cache: npm run bench -- pages [tries]
import { availableParallelism, loadavg } from 'node:os';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from '../test/chromium.ts';
import { connectDatabase } from './connect-database.ts';
import { signIn } from './sign-in.ts';
import { startTrialServer } from './trial-server.ts';

const TRIES = Number(process.argv[3] ?? 5);
const TARGET_MS = 2000;
/** What the developer tools of Chromium call Slow 4G. */
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };

const DASHBOARD = [
  ...[
    'overview',
    'purchases',
    'purchases/record',
    'purchases/unmatched',
    'products',
    'products/new',
    'downloads',
  ],
  ...[
    'webhook-log',
    'reports',
    'settings/integrations',
    'settings/integrations/storefront-a',
    'settings/team',
  ],
  ...['settings/organisation', 'settings/api-key', 'settings/api-key/new', 'settings/security'],
  ...['settings/activity', 'settings/installation'],
];

const server = await startTrialServer();
const browser = await chromium.launch(await findChromium());
try {
  const cookie = await signIn(server, await findOwner());
  const link = await sell();
  const rows = [];
  for (const path of ['/', new URL(link).pathname, '/my', '/nowhere', '/dashboard/sign-in']) {
    rows.push(await measure(path, null));
  }
  await expire();
  rows.push(await measure(new URL(link).pathname, null));
  for (const path of DASHBOARD) rows.push(await measure(`/dashboard/${path}`, cookie));
  console.log(`LCP over slow 4G with a processor 4 times slower; the target is ${TARGET_MS} ms`);
  // Other work on the machine makes every page later: what counts is measured on a quiet one.
  console.log(`Load on ${availableParallelism()} processors: ${loadavg()[0]?.toFixed(1)}`);
  console.table(rows);
  if (rows.some(({ met }) => !met)) process.exitCode = 1;
} finally {
  await browser.close();
  await server.end();
}

/** The median of the tries, each in a browser that has seen nothing. */
async function measure(path: string, cookie: string | null) {
  const times: number[] = [];
  let requests = 0;
  let largest = '';
  for (let tried = 0; tried < TRIES; tried += 1) {
    const context = await openContext(cookie);
    const page = await context.newPage();
    requests = 0;
    page.on('request', () => {
      requests += 1;
    });
    await slowDown(page);
    await page.goto(`${server.url}${path}`, { waitUntil: 'networkidle' });
    const paint = await readLargestPaint(page);
    times.push(paint.ms);
    largest = paint.text;
    await context.close();
  }
  times.sort((one, other) => one - other);
  const median = Math.round(times[Math.floor(times.length / 2)] ?? 0);
  const shown = path.startsWith('/d/') ? '/d/:token' : path;
  return {
    page: shown,
    'best ms': Math.round(times[0] ?? 0),
    'median ms': median,
    requests,
    largest,
    met: median < TARGET_MS,
  };
}

async function openContext(cookie: string | null): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
  const [name = '', value = ''] = cookie?.split('=') ?? [];
  if (cookie) await context.addCookies([{ name, value, url: server.url }]);
  return context;
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW_4G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

/** When it was shown, and how it begins: a page that is late is helped by what makes this smaller or earlier. */
function readLargestPaint(page: Page): Promise<{ readonly ms: number; readonly text: string }> {
  return page.evaluate(`new Promise((found) => {
    const tell = ({ startTime, element }) =>
      found({ ms: startTime, text: (element?.textContent ?? '').trim().slice(0, 24) });
    new PerformanceObserver((list) => tell(list.getEntries().at(-1))).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    });
  })`);
}

async function findOwner(): Promise<string> {
  const client = await connectDatabase(server);
  const { rows } = await client.query(`select email from users where role = 'owner' limit 1`);
  await client.end();
  return rows[0].email;
}

/** Sells the product of the demo shop, and answers with its download link. */
async function sell(): Promise<string> {
  const authorization = `Bearer ${server.key}`;
  const products = await fetch(`${server.url}/api/products`, { headers: { authorization } });
  const [{ product }] = (await products.json()) as readonly [{ readonly product: { readonly id: string } }];
  const sale = await fetch(`${server.url}/api/purchases`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams({
      customerId: 'new',
      'newCustomer.name': 'Ana Lima',
      'newCustomer.email': 'ana@example.com',
      productId: product.id,
      amount: '49.00',
      currency: 'EUR',
      paymentMethod: 'custom',
    }),
  });
  return /href="([^"]+\/d\/[^"]+)"/.exec(await sale.text())?.[1] ?? '';
}

async function expire(): Promise<void> {
  const client = await connectDatabase(server);
  await client.query(`update download_links set expires_at = now() - interval '1 day'`);
  await client.end();
}
