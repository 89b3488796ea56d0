import { revokePurchase, setIntegrationSecret } from '@handover/domain';
import { sampleOrder } from '@handover/platform-storefront-a/testing';
import { BY_JANA, makeLine, openShop } from '@handover/testkit';
import { describe, expect, vi } from 'vitest';
import { sendBody } from './fill-log.ts';
import { decodeHtml, type OpenedDashboard, openDashboard } from './open-dashboard.ts';
import { bearer } from './open-test-shop.ts';
import { sellByHand } from './sell-by-hand.ts';
import { deliverOrder } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

const DAY = 24 * 60 * 60 * 1000;

describe('the reports page', () => {
  test('shows downloads by day, as numbers, a described chart, and a table', async () => {
    const opened = await openWithDownloads();
    const { statusCode, body } = await opened.admin.get(
      `/dashboard/reports?from=${opened.first}&to=${opened.last}`,
    );
    expect(statusCode).toBe(200);
    expect(body).toContain('Downloads in 3 days');
    expect(body).toMatch(/<dt>Downloads<\/dt><dd>2</);
    expect(body).toMatch(/<dt>Finished<\/dt><dd>1</);
    expect(body).toMatch(/<dt>Buyers<\/dt><dd>1</);
    expect(body).toContain('role="img"');
    expect(body).toContain(`<time datetime="${opened.last}">`);
    expect(body).toContain(`value="${opened.first}"`);
  });

  test('says when nothing was downloaded', async ({ admin }) => {
    expect((await admin.get('/dashboard/reports')).body).toContain('No downloads in this period');
  });

  test.each([
    ['from=2026-02-30', 'The first day is not a date. Write one such as 2026-03-31.'],
    ['to=yesterday', 'The last day is not a date. Write one such as 2026-03-31.'],
    ['from=2026-02-02&to=2026-02-01', 'The first day is after the last day. Choose an earlier first day, or'],
    ['from=2036-02-02', 'The first day is after today. Choose today or an earlier day.'],
    ['from=2020-01-01', 'A report has at most 366 days. Choose a later first day, or'],
  ])('explains an invalid day beside its field: %s', async (query, problem) => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const answer = await admin.get(`/dashboard/reports?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(problem);
    expect(answer.body.match(/aria-invalid/g)).toHaveLength(1);
  });

  test('downloads the same file as the API', async () => {
    const opened = await openWithDownloads();
    const days = `from=${opened.first}&to=${opened.last}`;
    const file = await opened.admin.get(`/dashboard/reports/downloads.csv?${days}`);
    const ofApi = await opened.app.inject({
      url: `/api/reports/downloads?${days}`,
      headers: bearer(opened.shop.ownerKey),
    });
    expect(file.statusCode).toBe(200);
    expect(file.body).toBe(`\uFEFF${ofApi.body}`);
    expect(file.body.split('\r\n')).toHaveLength(4);
    for (const header of ['content-type', 'content-disposition'])
      expect(file.headers[header]).toBe(ofApi.headers[header]);
    expect(file.headers['cache-control']).toBe('private, no-store');
    expect((await opened.admin.get('/dashboard/reports/downloads.csv?from=x')).statusCode).toBe(400);
  });
});

describe('the sales report', () => {
  const of = (dashboard: Pick<OpenedDashboard, 'clock'>) => {
    const today = dashboard.clock.now().toISOString().slice(0, 10);
    return `from=${today}&to=${today}`;
  };

  test('adds up each product by currency, names what is revoked, and leads to its purchases', async () => {
    const { dashboard, owner } = await openSold();
    const { body } = await owner.get(`/dashboard/reports/sales?${of(dashboard)}`);
    expect(body).toContain('3 purchases: 98.00 EUR, 1,250.00 USD.');
    expect(readRows(body)).toEqual([
      'Pads, EUR|2 purchases|98.00 EUR|1 revoked (49.00 EUR)|None known with a refund',
      'Pads, USD|1 purchase|1,250.00 USD|None revoked|None known with a refund',
    ]);
    const [, href = ''] = /class="row-link" href="([^"]+)"/.exec(body) ?? [];
    expect((await owner.get(decodeHtml(href))).body).toContain('3 purchases');
  });

  test('says which of the shop’s platforms name amounts without tax, as do the sums of Purchases', async () => {
    const { dashboard, owner } = await openSold();
    const { ports, shop } = dashboard;
    const pages = ['reports/sales', 'purchases'].map((page) => `/dashboard/${page}?${of(dashboard)}`);
    for (const page of pages) expect((await owner.get(page)).body).not.toContain('without tax');
    for (const platform of ['checkout-a', 'storefront-b', 'cart-a'] as const) {
      const secret = 'a-secret-of-this-shop';
      await setIntegrationSecret(ports, { orgId: shop.orgId, platform, name: 'main', secret });
    }
    for (const page of pages) {
      const { body } = await owner.get(page);
      expect(body).toContain('Amounts from FastSpring and WooCommerce are without tax.');
    }
  });

  test('is downloaded as CSV', async () => {
    const { dashboard, owner } = await openSold();
    const page = await owner.get(`/dashboard/reports/sales?${of(dashboard)}`);
    const [, href = ''] = /href="([^"]*sales\.csv[^"]*)"/.exec(page.body) ?? [];
    const { headers, body } = await owner.get(decodeHtml(href));
    expect(headers['content-disposition']).toMatch(/sales_(\d{4}-\d{2}-\d{2})_\1\.csv/);
    expect(body.trim().split('\r\n')).toEqual([
      'product,currency,purchases,amount,revoked,revokedAmount,productId,refunded,refundedAmount',
      `Pads,EUR,2,98.00,1,49.00,${dashboard.shop.product.id},0,0.00`,
      `Pads,USD,1,1250.00,0,0.00,${dashboard.shop.product.id},0,0.00`,
    ]);
  });

  test('leads to the totals of each shop that is set up, and of what was recorded by hand', async () => {
    const { dashboard, owner } = await openSold();
    const body = decodeHtml((await owner.get(`/dashboard/reports/sales?${of(dashboard)}`)).body);
    const links = [...body.matchAll(/href="([^"]*source=[^"]*)">([^<]*)</g)];
    expect(links.map(([, , words]) => words)).toEqual(['Shopify', 'Recorded here', 'Recorded by the API']);
    expect((await owner.get(links[0]?.[1] ?? '')).body).toContain('3 purchases: 98.00 EUR, 1,250.00 USD.');
  });

  test('names what a shop gave money back for, in all, of each product, and as CSV', async () => {
    const { dashboard, owner } = await openSold();
    const days = of(dashboard);
    await sendBody(dashboard, sampleOrder({ id: '2', financial_status: 'refunded' }));
    const body = decodeHtml((await owner.get(`/dashboard/reports/sales?${days}`)).body);
    const [, href = '', words] =
      /href="([^"]*status=refunded[^"]*)">([^<]*)<\/a>, which is not/.exec(body) ?? [];
    expect(words).toBe('1 purchase, sold for 49.00 EUR');
    expect(decodeHtml((await owner.get(href)).body)).toContain('1 purchase: 49.00 EUR.');
    expect(readRows(body).map((row) => row.split('|').at(-1))).toEqual([
      '1 with a refund (49.00 EUR)',
      'None known with a refund',
    ]);
    const csv = (await owner.get(`/dashboard/reports/sales.csv?${days}`)).body.trim().split('\r\n');
    expect(csv.map((row) => row.split(',').slice(-2).join())).toEqual([
      'refunded,refundedAmount',
      '1,49.00',
      '0,0.00',
    ]);
  });

  test('names the refunds that were reported in its days, also where nothing was sold', async () => {
    const { dashboard, owner } = await openSold();
    dashboard.clock.advance(2 * 24 * 60 * 60 * 1000);
    await sendBody(dashboard, sampleOrder({ id: '2', financial_status: 'refunded' }));
    const today = dashboard.clock.now().toISOString().slice(0, 10);
    const body = decodeHtml((await owner.get(`/dashboard/reports/sales?from=${today}&to=${today}`)).body);
    const [, href = '', words] =
      /also of earlier sales: <a class="link" href="([^"]*)">([^<]*)</.exec(body) ?? [];
    expect([body.includes('No sales in this period'), words]).toEqual([
      true,
      '1 purchase, sold for 49.00 EUR',
    ]);
    expect((await owner.get(href)).body).toContain('1 purchase: 49.00 EUR.');
  });

  test('is never cut as CSV: of too many rows it says so', async () => {
    const { dashboard, owner } = await openSold();
    const { purchases } = dashboard.ports;
    const { id, name } = dashboard.shop.product;
    const amounts = { purchases: 1, amount: '49.00', revoked: 0, revokedAmount: '0.00' };
    const row = { productId: id, productName: name, currency: 'EUR', ...amounts };
    vi.spyOn(purchases, 'sumByProduct').mockImplementation(async (_orgId, _filter, limit) =>
      Array.from({ length: limit }, () => row),
    );
    const { headers, body } = await owner.get(`/dashboard/reports/sales.csv?${of(dashboard)}`);
    expect(headers['content-type']).toContain('text/html');
    expect(body).toContain('Too many purchases to add up here');
  });

  test('says when nothing was sold, also in another organisation', async () => {
    const { dashboard } = await openSold();
    const owner = await dashboard.signIn('owner');
    expect((await owner.get('/dashboard/reports/sales?from=2020-01-01&to=2020-01-31')).body).toContain(
      'No sales in this period',
    );
    const other = await openShop({ ...dashboard.ports, stores: dashboard.stores }, 'Other Shop');
    const stranger = await dashboard.signIn('owner', other.orgId);
    expect((await stranger.get('/dashboard/reports/sales')).body).toContain('No sales in this period');
  });

  test.each(['', '.csv'])('explains an invalid day%s', async (ending) => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const { statusCode, body } = await admin.get(`/dashboard/reports/sales${ending}?from=2026-02-30`);
    expect(statusCode).toBe(400);
    expect(body).toContain('The first day is not a date.');
    expect(body).toContain('action="/dashboard/reports/sales"');
  });
});

/** Two in euros, of which one is revoked, and one in dollars. */
async function openSold() {
  const dashboard = await openDashboard();
  const owner = await dashboard.signIn('owner');
  const { purchaseId } = await deliverOrder(dashboard, { orderId: '1' });
  await deliverOrder(dashboard, { orderId: '2' });
  const lines = [{ ...makeLine('PADS'), amount: '1250' }];
  await deliverOrder(dashboard, { orderId: '3', lines, currency: 'USD' });
  await revokePurchase(dashboard.ports, dashboard.shop.orgId, purchaseId, BY_JANA);
  return { dashboard, owner };
}

function readRows(body: string): readonly string[] {
  const rows = [...body.matchAll(/<tr>(.*?)<\/tr>/g)].slice(1);
  return rows.map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)]
      .map(([, cell = '']) => decodeHtml(cell.replace(/<[^>]*>/g, '')))
      .join('|'),
  );
}

/** Two downloads of one buyer, two days apart, of which the last is complete. */
async function openWithDownloads() {
  const dashboard = await openDashboard();
  const { linkId, token } = await sellByHand(dashboard);
  const first = dashboard.clock.now().toISOString().slice(0, 10);
  await dashboard.app.inject(`/d/${token}/files/1.0/pads.zip`);
  dashboard.clock.advance(2 * DAY - 60 * 60 * 1000);
  await dashboard.app.inject(`/d/${token}/files/1.0/pads.zip`);
  const at = dashboard.clock.now();
  const activity = {
    id: dashboard.ports.ids.next(),
    at,
    kind: 'download-completed',
    subjectId: linkId,
    summary: 'Done.',
    via: 'automatic',
  } as const;
  await dashboard.ports.sessions.complete(dashboard.shop.orgId, linkId, { sessionId: null, at, activity });
  return { ...dashboard, admin: await dashboard.signIn('admin'), first, last: at.toISOString().slice(0, 10) };
}
