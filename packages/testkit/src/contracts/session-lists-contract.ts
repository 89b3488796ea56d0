import {
  classifyDownload,
  type DownloadQuery,
  type DownloadState,
  LINK_LIFETIME_MS,
  LISTED_FILES,
  mapSku,
  revokePurchase,
} from '@handover/domain';
import { BY_JANA, makeOrder, openShop } from '../samples.ts';
import { collect, type OpenedShop, type StoresRunner } from './harness.ts';
import { beginDownload, completeDownload, fulfil, sell, sendBytes } from './shop-actions.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const STATES = ['completed', 'sent', 'running', 'interrupted', 'started'] as const;

/** The queries of reports and pages about download sessions. */
export function sessionListsContract({ describe, it, expect }: StoresRunner): void {
  describe('the list of download sessions', () => {
    it('holds those of a period, oldest first, with who downloaded what', async (opened) => {
      const { stores, shop, clock } = opened;
      const { linkId, purchaseId } = await sell(opened);
      const from = clock.now();
      const begun: string[] = [];
      for (let day = 0; day < 3; day += 1) {
        begun.push(await beginDownload(opened, linkId));
        clock.advance(24 * HOUR);
      }
      const until = new Date(from.getTime() + 48 * HOUR);
      const rows = await collect(stores.sessions.list(shop.orgId, { from, until }));
      expect(rows.map(({ id }) => id)).toEqual(begun.slice(0, 2));
      const [shown] = await search(opened, { before: begun[1] ?? '' });
      expect(shown).toEqual({
        ...rows[0],
        orgId: shop.orgId,
        isTest: false,
        productId: shop.product.id,
        productSlug: 'pads',
        movedTo: null,
        fileNames: [],
        sent: 0,
        size: 0,
        linkId,
        linkExpiresAt: new Date(from.getTime() + LINK_LIFETIME_MS),
        linkUsedAt: null,
        linkRevokedAt: null,
      });
      expect(rows[0]).toEqual({
        id: begun[0],
        startedAt: from,
        lastByteAt: from,
        bytes: 0,
        completedAt: null,
        purchaseId,
        orderId: null,
        orderNumber: null,
        productName: 'Pads',
        version: '1.0',
        customerName: 'Ana Lima',
        customerEmail: 'ana@example.com',
        client: 'browser',
        filesBegun: 0,
        filesWhole: 0,
      });
    });

    it('is searched by how an order’s number or id begins', async (opened) => {
      const first = await beginDownload(opened, (await sell(opened, { orderNumber: 'R-17' })).linkId);
      const plan = await fulfil(opened, makeOrder(opened.shop, { orderId: '9004', orderNumber: '#1252' }));
      const second = await beginDownload(opened, plan.links[0]?.id ?? '');
      const ids = async (text: string, includesSales = true) =>
        (await search(opened, { text, includesSales })).map(({ id }) => id);
      expect(await ids('r-1', false)).toEqual([]);
      expect(await ids('r-1')).toEqual([first]);
      for (const text of ['#1252', '125', '9004']) expect(await ids(text)).toEqual([second]);
      for (const text of ['252', '\0', '#1252\0']) expect(await ids(text)).toEqual([]);
      const period = { from: new Date(0), until: new Date('2100-01-01') };
      const rows = await collect(opened.stores.sessions.list(opened.shop.orgId, period));
      expect(rows.map(({ orderNumber }) => orderNumber).sort()).toEqual(['#1252', 'R-17']);
    });

    it('goes on page by page, the newest first, also where several begin at once', async (opened) => {
      const begun: string[] = [];
      for (let at = 0; at < 7; at += 1) {
        const sale = await sell(opened, buyer(`b${at}`));
        begun.unshift(await beginDownload(opened, sale.linkId));
        if (at % 3 === 0) opened.clock.advance(MINUTE);
      }
      const ids = async (before: string | null) =>
        (await search(opened, { before, limit: 3 })).map(({ id }) => id);
      const pages = [await ids(null), await ids(begun[2] ?? ''), await ids(begun[5] ?? '')];
      expect(pages.flat()).toEqual(begun);
      expect(await ids('nonsense')).toEqual([]);
      expect(await ids(opened.ids.next())).toEqual([]);
    });

    it('says how far each has come, what went out twice counted once', async (opened) => {
      const { linkId } = await sell(opened);
      const id = await beginDownload(opened, linkId);
      await sendBytes(opened, id, [[0, 4]], { name: 'b.zip', size: 10 });
      await sendBytes(opened, id, [[2, 6]], { name: 'b.zip', size: 10 });
      await sendBytes(opened, id, [[0, 3e9]], { name: 'a.zip', size: 3e9 });
      const [row] = await search(opened, {});
      expect(row).toMatchObject({ sent: 3_000_000_006, size: 3_000_000_010, bytes: 3_000_000_008 });
      expect(row).toMatchObject({ fileNames: ['a.zip', 'b.zip'], filesBegun: 2, filesWhole: 1 });
      const period = { from: new Date(0), until: new Date('2100-01-01') };
      expect(await collect(opened.stores.sessions.list(opened.shop.orgId, period))).toMatchObject([
        { bytes: 3_000_000_008, filesBegun: 2, filesWhole: 1 },
      ]);
    });

    it('names only the first of very many files', async (opened) => {
      const id = await beginDownload(opened, (await sell(opened)).linkId);
      for (let at = 0; at <= LISTED_FILES; at += 1) {
        await sendBytes(opened, id, [], { name: `${10 + at}.zip`, size: 1 });
      }
      const [row] = await search(opened, {});
      expect([row?.fileNames.length, row?.fileNames[0], row?.filesBegun]).toEqual([
        LISTED_FILES,
        '10.zip',
        LISTED_FILES + 1,
      ]);
    });

    it('is narrowed to a state, which is the one that each row is of', async (opened) => {
      const { clock } = opened;
      const all = await fillStates(opened);
      const expectStates = async () => {
        const rows = await search(opened, {});
        expect(rows).toHaveLength(Object.keys(all).length);
        for (const state of STATES) {
          const found = await search(opened, { state });
          const ofState = rows.filter((row) => classifyDownload(row, clock.now()) === state);
          expect([state, found]).toEqual([state, ofState]);
        }
      };
      const stateOf = async (id: string) => (await search(opened, {})).find((row) => row.id === id);
      expect(classifyDownload((await stateOf(all.running)) ?? NOTHING, clock.now())).toBe('running');
      await expectStates();
      clock.advance(MINUTE);
      expect((await search(opened, { state: 'running' })).length).toBe(0);
      const interrupted = await search(opened, { state: 'interrupted' });
      expect(interrupted.filter(({ id }) => id === all.running)).toHaveLength(1);
      await expectStates();
    });

    it('knows a download for whole only while each of its files is, however they end', async (opened) => {
      const id = await beginDownload(opened, (await sell(opened)).linkId);
      const isSent = async () => (await search(opened, { state: 'sent' })).length === 1;
      await sendBytes(opened, id, [[0, 2]], { name: 'a.zip', size: 2 });
      expect(await isSent()).toBe(true);
      await sendBytes(opened, id, [[0, 1]], { name: 'b.zip', size: 2 });
      expect(await isSent()).toBe(false);
      await sendBytes(opened, id, [[1, 2]], { name: 'b.zip', size: 2 });
      expect(await isSent()).toBe(true);
      const names = Array.from({ length: 8 }, (_, at) => `${at}.zip`);
      for (const range of [
        [0, 5],
        [5, 9],
      ] as const) {
        await Promise.all(names.map((name) => sendBytes(opened, id, [range], { name, size: 9 })));
        expect(await isSent()).toBe(range[1] === 9);
      }
    });

    it('is found by the buyer and the product, in any state', async (opened) => {
      const { shop } = opened;
      await mapSku(opened, shop.orgId, {
        sku: 'PAD-BUNDLE',
        platform: null,
        productId: shop.product.id,
      });
      const ana = await beginDownload(opened, (await sell(opened)).linkId);
      const bea = await beginDownload(opened, (await sell(opened, buyer('Bea', 'Stone'))).linkId);
      await sendBytes(opened, bea, [[0, 2]], { name: 'a.zip', size: 2 });
      const finds: Readonly<Record<string, readonly string[]>> = {
        ' ANA ': [ana],
        'lima ana@example': [ana],
        bea: [bea],
        'bea lima': [],
        pad: [bea, ana],
        'pad-bundle': [bea, ana],
        bundle: [],
        '%': [],
        "a' | b": [],
        'ana\0': [ana],
        '\0': [],
        5001: [],
      };
      for (const [text, ids] of Object.entries(finds)) {
        expect([text, (await search(opened, { text })).map(({ id }) => id)]).toEqual([text, ids]);
      }
      expect((await search(opened, { text: 'pad', state: 'sent' })).map(({ id }) => id)).toEqual([bea]);
      expect(await search(opened, { text: 'ana', state: 'sent' })).toEqual([]);
      expect((await search(opened, { text: 'pad', limit: 1 })).map(({ id }) => id)).toEqual([bea]);
      expect((await search(opened, { text: 'pad', before: bea })).map(({ id }) => id)).toEqual([ana]);
    });
  });

  describe('the record of a download session', () => {
    it('holds its row, what went out of each file, and whether its purchase is revoked', async (opened) => {
      const { stores, shop, clock } = opened;
      const { linkId, purchaseId } = await sell(opened);
      const id = await beginDownload(opened, linkId);
      await sendBytes(opened, id, [[0, 4]], { name: 'b.zip', size: 10 });
      await sendBytes(opened, id, [], { name: 'a.zip', size: 0 });
      const files = [
        { version: '1.0', name: 'a.zip', size: 0, sent: 0, whole: true },
        { version: '1.0', name: 'b.zip', size: 10, sent: 4, whole: false },
      ];
      const [row] = await search(opened, {});
      const record = await stores.sessions.show(shop.orgId, id);
      expect(record).toEqual({ ...row, files, purchaseRevokedAt: null });
      const revokedAt = clock.now();
      await revokePurchase(opened, shop.orgId, purchaseId, BY_JANA);
      expect(await stores.sessions.show(shop.orgId, id)).toMatchObject({
        linkRevokedAt: revokedAt,
        purchaseRevokedAt: revokedAt,
      });
    });

    it('is of one organisation only', async (opened) => {
      const id = await beginDownload(opened, (await sell(opened)).linkId);
      const shop = await openShop(opened, 'Other');
      const { sessions } = opened.stores;
      expect(await sessions.show(shop.orgId, id)).toBe(null);
      expect(await sessions.show(opened.shop.orgId, 'nonsense')).toBe(null);
      for (const text of ['', 'ana', 'pads']) {
        for (const state of [null, 'started'] as const) {
          expect(await search({ ...opened, shop }, { text, state })).toEqual([]);
        }
        expect(await search({ ...opened, shop }, { text, before: id })).toEqual([]);
      }
      expect(await sessions.search('nonsense', { ...ALL, now: opened.clock.now() })).toEqual([]);
    });
  });
}

const ALL = { text: '', state: null, before: null, limit: 50 } as const;
const NOTHING = { completedAt: null, filesBegun: 0, filesWhole: 0, lastByteAt: new Date(0) };

function search({ stores, shop, clock }: OpenedShop, query: Partial<DownloadQuery>) {
  return stores.sessions.search(shop.orgId, { ...ALL, now: clock.now(), ...query });
}

function buyer(name: string, surname = '') {
  return { newCustomer: { name: `${name} ${surname}`.trim(), email: `${name}@example.org` } };
}

/** A session of every state. */
async function fillStates(opened: OpenedShop): Promise<Readonly<Record<DownloadState, string>>> {
  const ids = new Map<string, string>();
  for (const state of STATES) {
    const { linkId } = await sell(opened, buyer(state));
    const id = await beginDownload(opened, linkId);
    ids.set(state, id);
    if (state === 'started') continue;
    await sendBytes(opened, id, [[0, state === 'sent' ? 5 : 2]], { name: 'a.zip', size: 5 });
    if (state === 'interrupted') opened.clock.advance(MINUTE);
    if (state !== 'completed') continue;
    await completeDownload(opened, linkId, id);
  }
  // Both began before: one of them continues now.
  await sendBytes(opened, ids.get('running') ?? '', [[2, 3]], { name: 'a.zip', size: 5 });
  return Object.fromEntries(ids) as Record<DownloadState, string>;
}
