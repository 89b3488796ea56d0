import { ALL_PURCHASES, revokePurchase } from '@handover/domain';
import { sampleOrder } from '@handover/platform-storefront-a/testing';
import { BY_JANA, makeLine } from '@handover/testkit';
import { describe, expect, vi } from 'vitest';
import { paceOf } from '../src/dashboard/purchases/purchase-page.ts';
import { sendBody } from './fill-log.ts';
import { decodeHtml, openDashboard } from './open-dashboard.ts';
import { bearer } from './open-test-shop.ts';
import { completeReceipt, deliverOrder } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

const DAY = 24 * 60 * 60 * 1000;
const LIST = '/dashboard/purchases';

/** Three sales on three days, beginning with 2 March 2026. */
async function openSales() {
  const dashboard = await openDashboard();
  for (const number of [1, 2, 3]) {
    const customer = { name: number === 2 ? '=1+1' : `Buyer ${number}`, email: `b${number}@example.com` };
    await deliverOrder(dashboard, { orderId: `${number}`, orderNumber: `#125${number}`, customer });
    dashboard.clock.advance(DAY);
  }
  return { ...dashboard, owner: await dashboard.signIn('owner') };
}

describe('purchases of some days', () => {
  test('are listed from the first to the last day, both included', async () => {
    const { owner } = await openSales();
    const { body } = await owner.get(`${LIST}?from=2026-03-02&to=2026-03-03`);
    expect(['#1251', '#1252', '#1253'].map((number) => body.includes(number))).toEqual([true, true, false]);
    expect((await owner.get(`${LIST}?from=2026-03-05`)).body).toContain('from 2026-03-05');
  });

  test.each([
    ['from=yesterday', '“From” must be a day such as 2026-03-31.'],
    ['to=2026-02-30', '“To” must be a day such as 2026-03-31.'],
    ['from=2026-03-04&to=2026-03-02', '“From” must not be after “To”.'],
    ['from=2026-03-06', '“From” is after today (UTC). Choose today or an earlier day.'],
    ['from=2026-03-06&to=2026-03-07', '“From” is after today (UTC). Choose today or an earlier day.'],
  ])('that are none are explained: %s', async (query, problem) => {
    const { owner } = await openSales();
    for (const page of [LIST, `${LIST}.csv`]) {
      const { statusCode, body } = await owner.get(`${page}?${query}`);
      expect([statusCode, decodeHtml(body).includes(problem)]).toEqual([400, true]);
    }
  });

  test('are downloaded as CSV, as filtered, with amounts for a spreadsheet and no formulas', async () => {
    const { owner } = await openSales();
    const page = `${LIST}?from=2026-03-03`;
    const [, href = ''] = /href="([^"]*purchases\.csv[^"]*)"/.exec((await owner.get(page)).body) ?? [];
    const { headers, body } = await owner.get(decodeHtml(href));
    expect(headers['content-disposition']).toContain('purchases_2026-03-03_2026-03-05.csv');
    const [head, ...rows] = body.trim().split('\r\n');
    expect(head).toBe(
      'date,order,customerName,customerEmail,product,source,status,amount,currency,paymentMethod,purchaseId,day,shop,revokedAt,refundedAt',
    );
    expect(rows.map((row) => row.split(',').slice(1, -5).join(','))).toEqual([
      '#1253,Buyer 3,b3@example.com,Pads,Shopify,pending,49.00,EUR,Shopify',
      "#1252,'=1+1,b2@example.com,Pads,Shopify,pending,49.00,EUR,Shopify",
    ]);
    expect(rows.map((row) => row.split(',').slice(-4).join())).toEqual([
      '2026-03-04,main,,',
      '2026-03-03,main,,',
    ]);
    // Who chose days wants to see the day.
    expect((await owner.get(page)).body).toMatch(/<time [^>]*>4 Mar 2026</);
    const member = await (await openDashboard()).signIn('member');
    expect((await member.get(`${LIST}.csv`)).statusCode).toBe(403);
  });

  test('are all in the CSV, beyond one page', async ({ dashboard }) => {
    for (let number = 0; number < 205; number += 1) await deliverOrder(dashboard, { orderId: `${number}` });
    const { body } = await (await dashboard.signIn('owner')).get(`${LIST}.csv`);
    expect(new Set(body.trim().split('\r\n')).size).toBe(206);
  });
});

describe('the sums of some days', () => {
  test('agree with the CSV and with the API, whatever is filtered', async ({ dashboard, owner }) => {
    const sales = [
      ['1', '19.9', 'EUR'],
      ['2', '1000.05', 'EUR'],
      ['3', '5', 'USD'],
    ] as const;
    for (const [orderId, amount, currency] of sales) {
      await deliverOrder(dashboard, { orderId, currency, lines: [{ ...makeLine('PADS'), amount }] });
    }
    const days = 'from=2026-03-02&to=2026-03-02';
    const { body } = await owner.get(`${LIST}?${days}`);
    expect(decodeHtml(body)).toContain('3 purchases: 1,019.95 EUR, 5.00 USD.');
    expect(body).toContain('No revoked purchases are included, and no test orders sent from here.');
    expect(body).toContain('Refunds made in your shop are not subtracted.');
    const csv = (await owner.get(`${LIST}.csv?${days}`)).body.trim().split('\r\n').slice(1);
    const fromCsv = csv.map((row) => row.split(',').slice(7, 9).join(' '));
    expect(fromCsv).toEqual(['5.00 USD', '1000.05 EUR', '19.90 EUR']);
    const url = '/api/purchases';
    const fromApi = await dashboard.app.inject({ url, headers: bearer(dashboard.shop.ownerKey) });
    const rows: readonly { amount: string; currency: string }[] = fromApi.json();
    expect(rows.map(({ amount, currency }) => `${amount} ${currency}`)).toEqual(fromCsv);
    expect((await owner.get(`${LIST}?from=2026-03-03`)).body).not.toContain('purchases:');
  });

  test('say how much of them is revoked', async () => {
    const { owner, ...dashboard } = await openSales();
    const [purchase] = await dashboard.ports.purchases.search(dashboard.shop.orgId, {
      ...{ text: '', productId: null, customerId: null, source: null, receipt: null },
      ...{ before: null, limit: 1 },
    });
    await revokePurchase(dashboard.ports, dashboard.shop.orgId, purchase?.id ?? '', BY_JANA);
    const { body } = await owner.get(`${LIST}?from=2026-03-02`);
    expect(body).toContain('3 purchases: 147.00 EUR.');
    expect(body).toContain('1 revoked purchase is included (49.00 EUR), and no test orders sent from here.');
  });

  test('name what a shop gave money back for, and lead to it', async () => {
    const { owner, ...dashboard } = await openSales();
    await sendBody(dashboard, sampleOrder({ id: '2', financial_status: 'refunded' }));
    const body = decodeHtml((await owner.get(`${LIST}?from=2026-03-02`)).body);
    const [, href = '', words = ''] = /href="([^"]*status=refunded[^"]*)">([^<]*)</.exec(body) ?? [];
    expect(words).toBe('1 purchase, sold for 49.00 EUR');
    const refunded = await owner.get(href);
    expect(['#1251', '#1252', '#1253'].map((number) => refunded.body.includes(number))).toEqual([
      false,
      true,
      false,
    ]);
    expect(refunded.body).toMatch(/<span class="badge" data-tone="held">.*Refund<\/span>/);
    const csv = (await owner.get(`${LIST}.csv?status=refunded`)).body.trim().split('\r\n');
    expect(csv.map((row) => row.split(',').at(-1))).toEqual(['refundedAt', '2026-03-05T09:01:01.000Z']);
    const [, page = ''] = /href="(\/dashboard\/purchases\/[0-9a-f-]{36})"/.exec(refunded.body) ?? [];
    expect((await owner.get(page)).body).toMatch(/Refund<\/span>/);
  });

  test('of refunds are found by the day on which the shop reported them, whenever they were bought', async () => {
    const { owner, ...dashboard } = await openSales();
    await sendBody(dashboard, sampleOrder({ id: '2', financial_status: 'refunded' }));
    const ofRefunds = (days: string) => owner.get(`${LIST}?status=refund-days${days}`);
    const { body } = await ofRefunds('&from=2026-03-05&to=2026-03-05');
    expect(body).toContain('1 purchase: 49.00 EUR.');
    expect(body).toContain('Refunds that were reported in these days, whenever the purchase was made.');
    expect(body).toMatch(/>Refunded<\/th>[\s\S]*#1252[\s\S]*>5 Mar 2026</);
    expect((await ofRefunds('&to=2026-03-04')).body).not.toContain('#1252');
    expect((await ofRefunds('')).body).toContain('#1252');
    const csv = (await owner.get(`${LIST}.csv?status=refund-days&from=2026-03-05`)).body.trim().split('\r\n');
    expect(csv.map((row) => row.split(',').at(-1))).toEqual(['refundedAt', '2026-03-05T09:01:01.000Z']);
    const asked = `${LIST}/bulk?action=revoke&all=yes&status=refund-days`;
    expect((await owner.get(`${asked}&from=2026-03-05`)).body).toContain('#1252');
    expect((await owner.get(`${asked}&from=2026-03-06`)).body).not.toContain('#1252');
  });

  test('lead to no more refunds than they name, where another status is chosen', async () => {
    const { owner, ...dashboard } = await openSales();
    for (const id of ['1', '2']) await sendBody(dashboard, sampleOrder({ id, financial_status: 'refunded' }));
    const page = { ...ALL_PURCHASES, before: null, limit: 1, isRefunded: true } as const;
    const [purchase] = await dashboard.ports.purchases.search(dashboard.shop.orgId, page);
    await revokePurchase(dashboard.ports, dashboard.shop.orgId, purchase?.id ?? '', BY_JANA);
    const body = decodeHtml((await owner.get(`${LIST}?from=2026-03-02&status=revoked`)).body);
    expect(body).toContain(
      'Your shop reported a refund for 1 purchase, sold for 49.00 EUR, which is not subtracted.',
    );
    expect(body).not.toMatch(/href="[^"]*status=refunded/);
  });

  test('are on the first page only; older pages lead there', async ({ dashboard }) => {
    for (let number = 0; number < 51; number += 1) await deliverOrder(dashboard, { orderId: `${number}` });
    const owner = await dashboard.signIn('owner');
    const sum = vi.spyOn(dashboard.ports.purchases, 'sum');
    const first = decodeHtml((await owner.get(`${LIST}?from=2026-03-02`)).body);
    expect([first.includes('51 purchases: 2,499.00 EUR.'), sum.mock.calls.length]).toEqual([true, 3]);
    const [, older = ''] = /href="([^"]*before=[^"]*)"/.exec(first) ?? [];
    const second = decodeHtml((await owner.get(older)).body);
    expect(second).toContain(`href="${LIST}?from=2026-03-02">Totals for this period`);
    expect(sum.mock.calls.length).toBe(3);
  });

  test('that take too long are explained, beside the purchases', async ({ dashboard }) => {
    await deliverOrder(dashboard, { orderNumber: '#1251' });
    vi.spyOn(dashboard.ports.purchases, 'sum').mockResolvedValue('took-too-long');
    const { statusCode, body } = await (await dashboard.signIn('owner')).get(`${LIST}?from=2026-03-02`);
    expect([statusCode, body.includes('#1251')]).toEqual([200, true]);
    expect(body).toContain('There are too many purchases to add up here. Choose fewer days');
  });

  test('are one press away: of this month, and of the last', async () => {
    const { owner } = await openSales();
    const body = decodeHtml((await owner.get(`${LIST}?q=buyer`)).body);
    expect(body).toContain(`href="${LIST}?q=buyer&from=2026-03-01&to=2026-03-31">this month`);
    expect(body).toContain(`href="${LIST}?q=buyer&from=2026-02-01&to=2026-02-28">last month`);
    expect(body).toContain('Days are UTC');
  });
});

describe('CSV for people', () => {
  test('begins with the mark by which Excel knows UTF-8; that for programs does not', async () => {
    const { owner, app, shop } = await openSales();
    for (const page of [`${LIST}.csv`, '/dashboard/reports/downloads.csv']) {
      expect([page, (await owner.get(page)).body.startsWith('\uFEFF')]).toEqual([page, true]);
    }
    const report = await app.inject({ url: '/api/reports/downloads', headers: bearer(shop.ownerKey) });
    expect(report.body.startsWith('\uFEFF')).toBe(false);
  });
});

describe('a purchase’s page', () => {
  test('asks again while something can happen by itself, and stops when it is final', async () => {
    const dashboard = await openDashboard();
    const owner = await dashboard.signIn('owner');
    const { purchaseId, receiptId } = await deliverOrder(dashboard);
    const poll = async () =>
      /hx-trigger="every (\d+)s"/.exec((await owner.get(`${LIST}/${purchaseId}`)).body)?.[1];
    expect(await poll()).toBe('3');
    await completeReceipt(dashboard, receiptId, 'sent', '250 OK');
    expect(await poll()).toBe('20');
    await owner.submit(`${LIST}/${purchaseId}`, `${LIST}/${purchaseId}/revoke`);
    expect(await poll()).toBe(undefined);
  });

  test('asks quickly during a download, and not at all after a refusal', () => {
    const now = new Date('2026-03-02T09:00:00Z');
    const known = { revokedAt: null, downloadUsedAt: null, downloadExpiresAt: new Date(now.getTime() + DAY) };
    const at = (ms: number) => new Date(now.getTime() - ms);
    const session = { completedAt: null, lastByteAt: at(59_000) };
    const pace = (changes: object) =>
      paceOf(
        { ...known, receiptStatus: 'sent', sessions: [], ...changes } as Parameters<typeof paceOf>[0],
        now,
      );
    expect(pace({ sessions: [session] })).toBe(3);
    expect(pace({ sessions: [{ ...session, lastByteAt: at(61_000) }] })).toBe(20);
    expect(pace({ sessions: [{ ...session, completedAt: now }], downloadUsedAt: now })).toBe(null);
    expect(pace({ receiptStatus: 'refused' })).toBe(null);
    expect(pace({ downloadExpiresAt: now })).toBe(null);
  });
});
