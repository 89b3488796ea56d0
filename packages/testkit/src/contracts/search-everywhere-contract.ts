import { mapSku, type RejectedDelivery, readSearch, subjectOfRejected } from '@handover/domain';
import { prepare } from '../runner.ts';
import { makeLine, makeOrder, openShop, publishProduct } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { sellTo } from './search-contract.ts';
import { fulfil } from './shop-actions.ts';

/** The search for everything that has a name. */
export function searchEverywhereContract(runner: StoresRunner): void {
  const { describe, it, expect } = prepare(runner, openSales);

  describe('a search for everything', () => {
    it('finds buyers, orders, what is held, products and SKUs, by how they begin', async (opened) => {
      const finds: Readonly<Record<string, readonly string[]>> = {
        ana: ['buyer: Ana Lima, ana.lima@example.com'],
        'LIMA ana': ['buyer: Ana Lima, ana.lima@example.com'],
        'ana.lima@ex': ['buyer: Ana Lima, ana.lima@example.com'],
        'Ana.Lima@example.com': ['buyer: Ana Lima, ana.lima@example.com, exactly'],
        'jo@example.org': ['entry: #1252, jo@example.org, storefront-a, held'],
        '#1252': ['entry: #1252, jo@example.org, storefront-a, held, exactly'],
        '#1251': ['order: #1251, Øyvind Å, Pads, storefront-a, exactly'],
        '125': [
          'entry: #1252, jo@example.org, storefront-a, held',
          'order: #1251, Øyvind Å, Pads, storefront-a',
          'order: #1250, Ana Lima, Pads, storefront-a',
        ],
        '9001': ['order: #1250, Ana Lima, Pads, storefront-a, exactly'],
        pads: ['product: Pads, published, exactly'],
        'tape 7': [
          'entry: #1252, jo@example.org, storefront-a, held',
          'product: Felt Keys, tape 7, draft, exactly',
        ],
        tap: ['entry: #1252, jo@example.org, storefront-a, held', 'product: Felt Keys, tape 7, draft'],
        keys: ['product: Felt Keys, draft'],
        '#pads': [],
        nobody: [],
        '': [],
        "'; drop table purchases; --": [],
        '&|!:*()%_\\': [],
        '\0': [],
      };
      for (const [text, expected] of Object.entries(finds)) {
        expect([text, ...(await find(opened, text))]).toEqual([text, ...expected]);
      }
    });

    it('finds an order that waits for its product by the start of its SKU', async (opened) => {
      await sellTo(opened, '9020', '#1400', { name: 'Bo', email: 'bo@example.com' }, 'MUG-BLUE_1');
      for (const text of ['mug', 'Mug-Blue', 'mug-blue_'])
        expect([text, ...(await find(opened, text))]).toEqual([
          text,
          'entry: #1400, bo@example.com, storefront-a, error',
        ]);
      expect(await find(opened, 'blue')).toEqual([]);
      expect(await find(opened, 'mug-blue%')).toEqual([]);
    });

    it('finds an order that waits or failed by the start of its buyer’s address', async (opened) => {
      const bo = { name: 'Bo', email: 'Bo_Reed@example.com' };
      await sellTo(opened, '9020', '#1400', bo, 'MUG-BLUE_1');
      for (const text of ['bo', 'BO_R', 'bo_reed@ex'])
        expect([text, ...(await find(opened, text))]).toEqual([
          text,
          'entry: #1400, bo_reed@example.com, storefront-a, error',
        ]);
      for (const text of ['reed', 'bo%', 'boxreed', 'bo reed', '#bo'])
        expect(await find(opened, text)).toEqual([]);
      expect(await find({ ...opened, shop: await openShop(opened, 'Other') }, 'bo_r')).toEqual([]);
    });

    it('finds an order of Stripe by the end of its id, and no other order by its end', async (opened) => {
      const { shop } = opened;
      for (const platform of ['payments-a', 'storefront-b'] as const)
        for (const [orderId, sku] of [
          ['pi_3Q7abWxYz', 'PADS'],
          ['pi_3Q7acWxYz', 'MUG'],
        ] as const) {
          const order = {
            ...makeOrder(shop, { orderId, orderNumber: orderId, lines: [makeLine(sku)] }),
            platform,
          };
          await fulfil(opened, order);
        }
      expect(await find(opened, 'bWxYz')).toEqual(['order: pi_3Q7abWxYz, Ana Lima, Pads, payments-a']);
      expect(await find(opened, '7acwxyz')).toEqual([
        'entry: pi_3Q7acWxYz, ana@example.com, payments-a, error',
      ]);
      expect(await find(opened, 'WxYz')).toEqual([]);
      expect(await find(opened, 'b_xYz')).toEqual([]);
    });

    it('finds an order that is ignored, until the same order is delivered', async (opened) => {
      await mapSku(opened, opened.shop.orgId, { sku: 'MUG', platform: null, productId: null });
      const bo = { name: 'Bo', email: 'bo@example.com' };
      await sellTo(opened, '9010', '#1306', bo, 'MUG');
      for (const text of ['#1306', 'bo@example.com']) {
        const exactly = text === '#1306' ? ', exactly' : '';
        expect(await find(opened, text)).toEqual([
          `entry: #1306, bo@example.com, storefront-a, ignored${exactly}`,
        ]);
      }
      await sellTo(opened, '9010', '#1306', bo, 'PADS');
      expect(await find(opened, '#1306')).toEqual(['order: #1306, Bo, Pads, storefront-a, exactly']);
    });

    it('finds an order that was rejected, until it is dismissed or accepted', async (opened) => {
      const { stores, shop, clock } = opened;
      const ids = [];
      for (const orderId of ['9101', '9102'])
        ids.push(
          await reject(opened, { orderId, orderNumber: `#${orderId}0`, normalizedEmail: 'eva@example.com' }),
        );
      const found = (orderId: string) => `rejected: #${orderId}0, eva@example.com, storefront-a`;
      expect(await find(opened, 'Eva@example.com')).toEqual([found('9102'), found('9101')]);
      expect(await find(opened, '#91010')).toEqual([`${found('9101')}, exactly`]);
      expect(await find(opened, '9101')).toEqual([`${found('9101')}, exactly`]);
      expect(await find(opened, '91')).toEqual([found('9102'), found('9101')]);
      expect(await find(opened, '1010')).toEqual([]);
      expect(await find(opened, '#91010', { includesSales: false })).toEqual([]);
      const seen = {
        seenAt: clock.now(),
        seenCount: 1,
        reason: 'A test.',
        by: 'jana@example.com',
        at: clock.now(),
      };
      await stores.dismissals.dismiss(shop.orgId, [{ subject: subjectOfRejected(ids[0] ?? ''), ...seen }]);
      expect(await find(opened, 'eva@example.com')).toEqual([found('9102')]);
      clock.advance(1000);
      await sellTo(opened, '9102', '#91020', { name: 'Eva', email: 'eva@example.com' }, 'PADS');
      expect(await find(opened, '#91020')).toEqual(['order: #91020, Eva, Pads, storefront-a, exactly']);
    });

    it('finds no sales for users who may not see them', async (opened) => {
      for (const text of ['ana', 'ana.lima@example.com', '125', '#1252', 'jo@example.org']) {
        expect(await find(opened, text, { includesSales: false })).toEqual([]);
      }
      const found = await find(opened, 'tape 7', { includesSales: false });
      expect(found).toEqual(['product: Felt Keys, tape 7, draft, exactly']);
    });

    it('has a limit for each kind, and includes exact matches', async (opened) => {
      expect(await find(opened, '125', { limit: 1 })).toEqual([
        'entry: #1252, jo@example.org, storefront-a, held',
        'order: #1251, Øyvind Å, Pads, storefront-a',
      ]);
      await sellTo(opened, '125', '#77', { name: 'Bo', email: 'bo@example.com' }, 'PADS');
      opened.clock.advance(1000);
      await sellTo(opened, '9004', '#1253', { name: 'Bo', email: 'bo@example.com' }, 'PADS');
      expect(await find(opened, '125', { limit: 1 })).toEqual([
        'entry: #1252, jo@example.org, storefront-a, held',
        'order: #77, Bo, Pads, storefront-a, exactly',
      ]);
    });

    it('finds nothing of another organisation', async (opened) => {
      const other = await openShop(opened, 'Other');
      const elsewhere = { ...opened, shop: other };
      for (const text of ['ana', '#1251', '#1252', 'jo@example.org', 'keys', 'tape 7']) {
        expect(await find(elsewhere, text)).toEqual([]);
      }
      const nowhere = { ...opened, shop: { ...other, orgId: 'x' } };
      expect(await find(nowhere, 'ana')).toEqual([]);
    });
  });
}

async function openSales(opened: OpenedShop): Promise<OpenedShop> {
  const { orgId } = opened.shop;
  const { product } = await publishProduct(opened, orgId, 'Felt Keys');
  await opened.stores.products.change(orgId, product.id, { status: 'draft' }, opened.clock.now());
  await mapSku(opened, orgId, { sku: 'TAPE 7', platform: null, productId: product.id });
  await sellTo(opened, '9001', '#1250', { name: 'Ana Lima', email: 'ana.lima@example.com' }, 'PADS');
  await sellTo(opened, '9002', '#1251', { name: 'Øyvind Å', email: 'oa@example.com' }, 'PADS');
  await sellTo(opened, '9003', '#1252', { name: 'Jo Reed', email: 'jo@example.org' }, 'Tape 7');
  // The same order again: it must be found once.
  await sellTo(opened, '9003', '#1252', { name: 'Jo Reed', email: 'jo@example.org' }, 'Tape 7');
  return opened;
}

async function reject(
  { stores, shop, ids, clock }: OpenedShop,
  order: NonNullable<RejectedDelivery['order']>,
): Promise<string> {
  const [id, at, reason] = [ids.next(), clock.now(), 'It fits no secret.'];
  const about = { orgId: shop.orgId, platform: 'storefront-a', reason } as const;
  const request = {
    source: 'a network',
    bytes: new Uint8Array([123, 125]),
    headers: {},
    secretFingerprint: null,
  };
  const kept = { ...about, ...request, id, receivedAt: at, order };
  await stores.rejected.record({ ...about, count: 1, at, kept, alert: null });
  return id;
}

async function find(
  { stores, shop }: OpenedShop,
  text: string,
  query: { readonly includesSales?: boolean; readonly limit?: number } = {},
): Promise<readonly string[]> {
  const terms = readSearch(text);
  const hits = await stores.search.find(shop.orgId, { terms, includesSales: true, limit: 5, ...query });
  return hits.map(({ kind, title, detail, about, platform, status, isExact }) => {
    const words = [title, detail, about, platform, status, isExact ? 'exactly' : null];
    return `${kind}: ${words.filter((word) => word !== null).join(', ')}`;
  });
}
