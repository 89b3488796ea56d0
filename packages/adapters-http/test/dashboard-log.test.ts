import { createProduct } from '@handover/domain';
import { signedSample } from '@handover/platform-storefront-a/testing';
import { makeLine } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { fillLog, fillWith, listIds, sendOrder } from './fill-log.ts';
import { decodeHtml, openDashboard } from './open-dashboard.ts';
import { completeReceipt, deliverOrder } from './sell-purchases.ts';
import { SALE, send } from './send-webhook.ts';
import { test } from './test-in-shop.ts';

const LOG = '/dashboard/webhook-log';

describe('the list', () => {
  test('shows the outcome of each entry, and groups them by day', async ({ dashboard }) => {
    await fillLog(dashboard);
    dashboard.clock.advance(86_400_000);
    await sendOrder(dashboard, { orderId: '6001' });
    const owner = await dashboard.signIn('owner');
    const body = decodeHtml((await owner.get(LOG)).body);
    expect([...body.matchAll(/class="log-date"[^>]*><span>([^<]*)/g)].map(([, day]) => day)).toEqual([
      'Today',
      'Yesterday',
    ]);
    const rows = [...body.matchAll(/<li id="row-.*?<\/li>/gs)].map(([row]) => wordsOf(row));
    expect(rows).toEqual([
      expect.stringMatching(/^Pending #6001 \d\d:\d\d Shopify pads Pads delivered$/),
      expect.stringMatching(/^Pending #5002 \d\d:\d\d Shopify pads The mail server is busy$/),
      expect.stringMatching(
        /^Held #1186 Unmatched \d\d:\d\d Shopify nocturne-strings The product “Nocturne Strings” is still a draft, and 2 more$/,
      ),
      expect.stringMatching(/^Pending #4999 \d\d:\d\d Shopify pads Pads delivered$/),
      expect.stringMatching(/^Error #4998 Unmatched \d\d:\d\d Shopify BUNDLE-XMAS No product has this SKU$/),
      expect.stringMatching(/^Error Unreadable delivery \d\d:\d\d Shopify · /),
      expect.stringMatching(/^Ignored #4997 \d\d:\d\d Shopify · /),
    ]);
  });

  test.each([
    ['success', 'Success', ['pads', 'WHO-1']],
    ['held', 'Held', ['pads', 'nocturne-strings', 'WHO-1']],
    ['error', 'Error', ['WHO-1']],
  ] as const)('flags an unmatched line of an entry that is %s', async (status, word, skus) => {
    const dashboard = await openDashboard();
    await createProduct(dashboard.ports, dashboard.shop.orgId, {
      name: 'Nocturne',
      slug: 'nocturne-strings',
    });
    const flagged = await deliverOrder(dashboard, { orderId: '1', lines: skus.map((sku) => makeLine(sku)) });
    if (flagged.receiptId !== '') await completeReceipt(dashboard, flagged.receiptId, 'sent', '250 OK');
    const owner = await dashboard.signIn('owner');
    const { body } = await owner.get(`${LOG}/${flagged.deliveryId}?status=${status}`);
    const [row = ''] = /<li id="row-.*?<\/li>/s.exec(body) ?? [];
    expect(wordsOf(row)).toMatch(new RegExp(`^${word} #1001 Unmatched \\d\\d:\\d\\d Shopify `));
    expect(/<div class="page-title">.*?<\/div>/s.exec(body)?.[0]).toContain('Unmatched');
  });

  test('flags no entry whose lines are all mapped', async ({ dashboard }) => {
    await deliverOrder(dashboard);
    const owner = await dashboard.signIn('owner');
    expect((await owner.get(LOG)).body).not.toContain('Unmatched');
  });

  test('filters by status, connection and text, and counts the entries', async ({ dashboard }) => {
    const of = await fillLog(dashboard);
    const owner = await dashboard.signIn('owner');
    const idsAt = async (query: string) =>
      [...(await owner.get(`${LOG}${query}`)).body.matchAll(/id="row-([^"]+)"/g)].map(([, id]) => id);
    expect(await idsAt('?status=held')).toEqual([of.held]);
    expect(await idsAt('?q=%231186')).toEqual([of.held]);
    expect(await idsAt('?q=mia@')).toEqual([of.failing]);
    expect(await idsAt('?q=bundle&status=error')).toEqual([of.unmatched]);
    expect(await idsAt(`?connection=${dashboard.shop.connection.id}`)).toHaveLength(6);
    expect(await idsAt('?connection=another')).toEqual([]);
    expect(await idsAt('?status=nonsense')).toHaveLength(6);
    const { body } = await owner.get(LOG);
    const counts = [
      ...body.matchAll(/<a href="[^"]*"[^>]*>(?:(?!<\/a>).)*<span class="figure muted">(\d+)/gs),
    ];
    expect(counts.map(([, count]) => count)).toEqual(['6', '2', '2', '1', '0', '1']);
  });

  test('paginates, and says when there are no entries', async ({ dashboard, owner }) => {
    expect((await owner.get(LOG)).body).toContain('No deliveries yet');
    await fillWith(dashboard, 60);
    const first = (await owner.get(LOG)).body;
    const older = decodeHtml(/rel="next" href="([^"]+)"/.exec(first)?.[1] ?? '');
    const second = (await owner.get(older)).body;
    const idsIn = (body: string) => [...body.matchAll(/id="row-([^"]+)"/g)].map(([, id]) => id);
    expect([...idsIn(first), ...idsIn(second)]).toEqual(await listIds(dashboard));
    expect([first.includes('every 2s'), second.includes('every 2s')]).toEqual([true, false]);
    const none = decodeHtml((await owner.get(`${LOG}?q=%3Cb%3E`)).body);
    expect(none).toContain('Nothing for “<b>”');
    expect((await owner.get(`${LOG}?q=%3Cb%3E`)).body).not.toContain('<b>');
  });

  test('sends a polling page only what it has not seen', async ({ dashboard }) => {
    const shown = await sendOrder(dashboard, { orderId: '1' });
    const owner = await dashboard.signIn('owner');
    const seen = stateOf((await owner.get(LOG)).body);
    expect((await owner.get(`${LOG}/live?${seen}`)).statusCode).toBe(204);
    const fresh = await sendOrder(dashboard, { orderId: '2' });
    const news = await owner.get(`${LOG}/live?${seen}`);
    expect(news.statusCode).toBe(200);
    expect(news.body).toContain('>1 new entry<');
    expect(
      [...news.body.matchAll(/<li id="row-([^"]+)"([^>]*)>/g)].map(([, id, rest]) => [
        id,
        rest?.includes('data-new'),
      ]),
    ).toEqual([
      [fresh, true],
      [shown, false],
    ]);
    expect(news.body).not.toMatch(/<html|<main/);
    const after = stateOf(news.body);
    expect((await owner.get(`${LOG}/live?${after}`)).statusCode).toBe(204);
    expect((await owner.get(`${LOG}/live?${after}&status=held`)).body).toContain('log-state');
  });

  test('tells a screen reader of new entries every fifteen seconds, and then of all since', async () => {
    const dashboard = await openDashboard();
    const owner = await dashboard.signIn('owner');
    let state = stateOf((await owner.get(LOG)).body);
    const poll = async (afterMs: number) => {
      dashboard.clock.advance(afterMs);
      const { body } = await owner.get(`${LOG}/live?${state}`);
      if (body !== '') state = stateOf(body);
      return /id="log-news"[^>]*>([^<]*)</.exec(body)?.[1] ?? null;
    };
    const order = (orderId: string) => send(dashboard, signedSample('test-secret', { ...SALE, orderId }));
    await order('1');
    expect(await poll(2000)).toBe('1 new entry');
    await order('2');
    expect(await poll(2000)).toBe(null);
    await order('3');
    expect(await poll(12_999)).toBe(null);
    // Nothing came since, but of those two nothing was said.
    expect(await poll(1)).toBe('2 new entries');
    expect(await poll(15_000)).toBe(null);
    await order('4');
    expect(await poll(2000)).toBe('1 new entry');
  });
});

/** What a reader sees of HTML. */
function wordsOf(body: string): string {
  return decodeHtml(body.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

/** What the page sends along when it asks again. */
function stateOf(body: string): string {
  const form = /<form id="log-state".*?<\/form>/s.exec(body)?.[0] ?? '';
  const fields = [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)];
  const state = new URLSearchParams();
  for (const [, name = '', value = ''] of fields) state.set(name, decodeHtml(value));
  return state.toString();
}
