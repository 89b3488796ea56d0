import { correctAddress, resendReceipt } from '@handover/domain';
import { BY_JANA } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { decodeHtml, openDashboard } from './open-dashboard.ts';
import { bearer } from './open-test-shop.ts';
import { deliverOrder, download, sellByHand } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

const DOWNLOADS = '/dashboard/downloads';

async function openDownloads() {
  const dashboard = await openDashboard();
  const ana = await deliverOrder(dashboard, { orderId: '1' });
  const bea = await deliverOrder(dashboard, {
    orderId: '2',
    orderNumber: '#1002',
    customer: { name: 'Bea Stone', email: 'bea@example.org' },
  });
  await download(dashboard, ana.linkId, 2, false);
  dashboard.clock.advance(60_000);
  await download(dashboard, bea.linkId, 5, true);
  const [second, first] = await dashboard.stores.sessions.search(dashboard.shop.orgId, {
    text: '',
    state: null,
    now: dashboard.clock.now(),
    before: null,
    limit: 2,
  });
  return { ...dashboard, ana, bea, anasSession: first?.id ?? '', beasSession: second?.id ?? '' };
}

function rowsOf(body: string): readonly string[] {
  return [...body.matchAll(/<tr><th scope="row".*?<\/tr>/gs)].map(([row]) =>
    decodeHtml(row.replaceAll(/<[^>]+>/g, ' '))
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

describe('the page of downloads', () => {
  test('shows a member who downloaded what, how much of it and when', async () => {
    const downloads = await openDownloads();
    const member = await downloads.signIn('member');
    const { body } = await member.get(DOWNLOADS);
    expect(rowsOf(body)).toEqual([
      'Bea Stone bea@example.org Pads 1.0 pads.zip Completed 100 % 5 bytes of 5 bytes just now',
      'Ana Lima ana@example.com Pads 1.0 pads.zip Interrupted 40 % 2 bytes of 5 bytes 1 min ago',
    ]);
    expect(body).toMatch(/<nav[^>]*>.*href="\/dashboard\/downloads"[^>]*aria-current="page".*<\/nav>/s);
  });

  test('shows nothing about the sale', async () => {
    const downloads = await openDownloads();
    const member = await downloads.signIn('member');
    for (const path of [DOWNLOADS, `${DOWNLOADS}/${downloads.anasSession}`]) {
      const { body } = await member.get(path);
      for (const hidden of ['49.00', '#1002', '/dashboard/purchases', '/d/']) {
        expect([path, hidden, body.includes(hidden)]).toEqual([path, hidden, false]);
      }
    }
  });

  test('filters by buyer, product and state, and says when nothing matches', async () => {
    const downloads = await openDownloads();
    const member = await downloads.signIn('member');
    const find = async (query: string) => rowsOf((await member.get(`${DOWNLOADS}?${query}`)).body).length;
    expect(await find('q=bea')).toBe(1);
    expect(await find('q=ana%40example')).toBe(1);
    expect(await find('q=pads')).toBe(2);
    expect(await find('state=interrupted')).toBe(1);
    expect(await find('q=pads&state=completed')).toBe(1);
    expect(await find('state=nonsense')).toBe(2);
    const none = decodeHtml((await member.get(`${DOWNLOADS}?q=%3Cb%3E&state=sent`)).body);
    expect(none).toContain('Nothing for “<b>”');
    expect(none).toContain('filtered by: sent whole');
    expect(none).toContain('Clear search');
  });

  test('paginates, and says when there are no downloads yet', async ({ dashboard, member }) => {
    expect((await member.get(DOWNLOADS)).body).toContain('No downloads yet');
    const { linkId } = await deliverOrder(dashboard);
    for (let at = 0; at < 60; at += 1) await download(dashboard, linkId, 5, true);
    const first = (await member.get(`${DOWNLOADS}?q=ana`)).body;
    const older = decodeHtml(/rel="next" href="([^"]+)"/.exec(first)?.[1] ?? '');
    const second = (await member.get(older)).body;
    const idsIn = (body: string) => [...body.matchAll(/downloads\/([0-9a-f-]{36})"/g)].map(([, id]) => id);
    expect([idsIn(first).length, idsIn(second).length]).toEqual([50, 10]);
    expect(new Set([...idsIn(first), ...idsIn(second)]).size).toBe(60);
    expect([first.includes('data-polls'), second.includes('data-polls')]).toEqual([true, false]);
  });

  test('sends a polling page only what it has not seen', async () => {
    const downloads = await openDownloads();
    const member = await downloads.signIn('member');
    const seenOf = (body: string) => /name="seen" value="([^"]+)"/.exec(body)?.[1] ?? '';
    const { body } = await member.get(`${DOWNLOADS}?q=bea`);
    const live = (seen: string) => member.get(`${DOWNLOADS}/live?q=bea&seen=${seen}`);
    expect((await live(seenOf(body))).statusCode).toBe(204);
    await download(downloads, downloads.bea.linkId, 3, false);
    const news = await live(seenOf(body));
    expect(rowsOf(news.body)[0]).toContain('Downloading 60 %');
    downloads.clock.advance(60_000);
    expect(rowsOf((await live(seenOf(news.body))).body)[0]).toContain('Interrupted 60 %');
  });
});

describe('the page of one download', () => {
  test('shows the progress of each file, and links owners to the purchase', async () => {
    const downloads = await openDownloads();
    const member = await downloads.signIn('member');
    const owner = await downloads.signIn('owner');
    const path = `${DOWNLOADS}/${downloads.anasSession}`;
    const { body } = await member.get(path);
    expect(decodeHtml(body)).toMatch(/pads\.zip.*40 %.*2 bytes of 5 bytes, version 1\.0/s);
    expect(body).toContain('Interrupted');
    expect(body).not.toContain('data-polls');
    expect((await owner.get(path)).body).toContain(`/dashboard/purchases/${downloads.ana.purchaseId}`);
    await download(downloads, downloads.bea.linkId, 3, false);
    const { body: list } = await member.get(`${DOWNLOADS}?state=running`);
    const running = /downloads\/([0-9a-f-]{36})"/.exec(list)?.[1];
    expect((await member.get(`${DOWNLOADS}/${running}`)).body).toContain('data-polls');
  });

  test('lets a member revoke and restore, once each, under the member’s address', async () => {
    const downloads = await openDownloads();
    const member = await downloads.signIn('member');
    const path = `${DOWNLOADS}/${downloads.anasSession}`;
    const link = new URL(downloads.ports.tokens.url(downloads.shop.orgId, downloads.ana.linkId)).pathname;
    for (const _ of [1, 2]) {
      const answer = await member.submit(path, `${path}/revoke`);
      expect([answer.statusCode, answer.headers.location]).toEqual([303, path]);
    }
    const revoked = await member.get(path);
    expect(revoked.body).toContain(`${path}/restore`);
    expect(revoked.body).not.toContain(`${path}/revoke`);
    expect(rowsOf((await member.get(DOWNLOADS)).body)[1]).toContain('Interrupted Revoked');
    expect((await downloads.app.inject(link)).statusCode).toBe(410);
    await member.submit(path, `${path}/restore`);
    expect((await downloads.app.inject(link)).statusCode).toBe(200);
    const query = { subjectId: downloads.ana.purchaseId, before: null, limit: 10 };
    const actions = (await downloads.stores.activity.list(downloads.shop.orgId, query)).filter(
      ({ actor }) => actor,
    );
    expect(actions.map(({ kind, actor }) => [kind, actor])).toEqual([
      ['link-restored', member.email],
      ['link-revoked', member.email],
    ]);
  });

  test('asks for confirmation before it revokes, and names the loss', async () => {
    const downloads = await openDownloads();
    const member = await downloads.signIn('member');
    const body = decodeHtml((await member.get(`${DOWNLOADS}/${downloads.anasSession}`)).body);
    const [dialog = ''] = /<dialog.*?<\/dialog>/s.exec(body) ?? [];
    expect(dialog).toContain('Revoke this purchase?');
    expect(dialog).toContain('Ana Lima can get no new one');
  });

  test('says that the progress of a direct download is unknown', async ({ dashboard }) => {
    const purchaseId = await sellByHand(dashboard, 'Noa Berg', 'noa@example.com');
    const linkId = (await dashboard.stores.purchases.show(dashboard.shop.orgId, purchaseId))?.linkId ?? '';
    const request = { sessionId: dashboard.ports.ids.next(), joining: null, client: 'browser' } as const;
    await dashboard.stores.sessions.begin(dashboard.shop.orgId, linkId, {
      ...request,
      at: dashboard.clock.now(),
    });
    const member = await dashboard.signIn('member');
    expect(rowsOf((await member.get(DOWNLOADS)).body)[0]).toContain('Started Not known');
    const { body } = await member.get(`${DOWNLOADS}/${request.sessionId}`);
    expect(body).toContain('its progress is not known');
  });
});

describe('a download from before an address was corrected', () => {
  async function openCorrected() {
    const downloads = await openDownloads();
    const { ports, shop, ana } = downloads;
    const change = { by: BY_JANA, seen: 'ana@example.com' };
    await correctAddress(ports, shop.orgId, ana.purchaseId, 'eva@example.org', change);
    return downloads;
  }

  test('is listed under the former address, and found by both', async () => {
    const downloads = await openCorrected();
    const member = await downloads.signIn('member');
    for (const text of ['ana@example.com', 'eva@example.org']) {
      const [row, ...others] = rowsOf((await member.get(`${DOWNLOADS}?q=${encodeURIComponent(text)}`)).body);
      expect(others).toEqual([]);
      expect(row).toContain('Ana Lima ana@example.com Before the address was corrected Pads 1.0');
    }
    expect(rowsOf((await member.get(`${DOWNLOADS}?q=bea`)).body)[0]).not.toContain('corrected');
    const found = decodeHtml((await member.get('/dashboard/search?q=eva')).body.replaceAll(/<[^>]+>/g, ''));
    expect(found).toContain('Ana Lima ana@example.com before the address was corrected Pads');
  });

  test('says on its page whom the link was made for, and what the address is now', async () => {
    const downloads = await openCorrected();
    const member = await downloads.signIn('member');
    const { body } = await member.get(`${DOWNLOADS}/${downloads.anasSession}`);
    const text = decodeHtml(body.replaceAll(/<[^>]+>/g, ''));
    expect(text).toContain('ana@example.com');
    expect(text).toContain('The link was made for this address, before it was corrected to eva@example.org.');
    expect(text).toContain('It was replaced when the buyer’s address was corrected.');
    const other = decodeHtml((await member.get(`${DOWNLOADS}/${downloads.beasSession}`)).body);
    expect(other).not.toContain('was corrected');
  });

  test('has the former address in the API and in the CSV', async () => {
    const downloads = await openCorrected();
    const { app, shop } = downloads;
    const read = async (url: string) => (await app.inject({ url, headers: bearer(shop.ownerKey) })).body;
    expect(JSON.parse(await read('/api/download-sessions'))).toContainEqual(
      expect.objectContaining({ id: downloads.anasSession, customerEmail: 'ana@example.com' }),
    );
    const csv = await read('/api/reports/downloads');
    expect(csv).toContain(',ana@example.com,');
    expect(csv).not.toContain('eva@example.org');
  });

  test('says of a link that was replaced for the same address that it was replaced', async () => {
    const downloads = await openDownloads();
    const { ports, shop, ana } = downloads;
    const seen = { id: ana.receiptId, status: 'pending' } as const;
    await resendReceipt(ports, shop.orgId, ana.purchaseId, { by: BY_JANA, seen, replacesLinks: true });
    const member = await downloads.signIn('member');
    const { body } = await member.get(`${DOWNLOADS}/${downloads.anasSession}`);
    expect(body).toContain('It was replaced by a newer one.');
    expect(body).not.toContain('was corrected');
  });
});
