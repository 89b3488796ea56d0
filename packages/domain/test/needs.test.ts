import { listNeeds, type NeedFacts } from '@handover/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const NOW = new Date('2026-10-14T14:32:00Z');
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const NOTHING: NeedFacts = {
  held: [],
  unmatched: null,
  refused: null,
  failed: null,
  rejections: [],
  rhythms: [],
  givenUpAlerts: null,
  subscriptionExpiresAt: null,
};

const HELD = {
  productId: 'p1',
  productName: 'Nocturne Strings',
  productStatus: 'draft',
  hasLiveVersion: true,
  orders: 3,
  newestAt: ago(2 * HOUR),
} as const;
const UNMATCHED = { skus: 2, orders: 5, named: [], newestAt: ago(HOUR) };
const REFUSED = {
  count: 1,
  newest: {
    purchaseId: 'b1',
    customerName: 'Mira Okafor',
    customerEmail: 'mira@exmaple.com',
    productName: 'Felt Piano',
    moreProducts: 0,
    answer: 'no such address',
    at: ago(DAY),
  },
};
const GIVEN_UP = { answer: 'no such address', at: ago(HOUR) };

function rhythm(orderTimes: readonly Date[], platform: 'cart-a' | 'storefront-b' = 'cart-a') {
  return { connectionId: 'c1', platform, name: 'main', orderTimes };
}

/** So many orders, the last of them so long ago, each so long after the one before. */
function timesOf(count: number, silence: number, pause: number): readonly Date[] {
  return Array.from({ length: count }, (_, at) => ago(silence + at * pause));
}

function kindsOf(facts: Partial<NeedFacts>): readonly string[] {
  return listNeeds({ ...NOTHING, ...facts }, NOW).needs.map(({ kind }) => kind);
}

describe('what needs a person', () => {
  test('is nothing where there is nothing', () => {
    expect(listNeeds(NOTHING, NOW)).toEqual({ needs: [], buyers: 0 });
  });

  test('goes by how many buyers it keeps waiting, and counts them all', () => {
    const facts = {
      ...NOTHING,
      held: [HELD, { ...HELD, productId: 'p2', orders: 9 }],
      unmatched: UNMATCHED,
      refused: REFUSED,
      rejections: [{ platform: 'storefront-b' as const, times: timesOf(12, HOUR, HOUR) }],
      givenUpAlerts: GIVEN_UP,
    };
    const { needs, buyers } = listNeeds(facts, NOW);
    expect(needs.map(({ kind, buyers: of }) => [kind, of])).toEqual([
      ['rejecting', 12],
      ['held', 9],
      ['unmatched', 5],
      ['held', 3],
      ['refused', 1],
      ['alerts-given-up', 0],
    ]);
    expect(buyers).toBe(30);
  });

  test('of two that keep as many waiting, names the newer one first', () => {
    const older = { ...HELD, orders: 5, newestAt: ago(3 * HOUR) };
    expect(kindsOf({ held: [older], unmatched: UNMATCHED })).toEqual(['unmatched', 'held']);
  });

  test('never loses a held order on the way', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000)), (orders) => {
        const held = orders.map((count) => ({ ...HELD, orders: count }));
        const { needs, buyers } = listNeeds({ ...NOTHING, held }, NOW);
        expect(buyers).toBe(orders.reduce((sum, count) => sum + count, 0));
        expect(needs.map((need) => need.buyers)).toEqual([...orders].sort((a, b) => b - a));
      }),
    );
  });
});

describe('a platform', () => {
  const rejections = [
    { platform: 'storefront-b' as const, times: [ago(HOUR), ago(2 * HOUR), ago(9 * HOUR)] },
  ];

  test('rejects what came since the last order that a secret verified', () => {
    const rhythms = [rhythm([ago(3 * HOUR)], 'storefront-b')];
    const { needs } = listNeeds({ ...NOTHING, rejections, rhythms }, NOW);
    expect(needs).toEqual([
      {
        kind: 'rejecting',
        buyers: 2,
        at: ago(HOUR),
        facts: { platform: 'storefront-b', rejected: 2, lastOrderAt: ago(3 * HOUR) },
      },
    ]);
  });

  test('rejects all of them where no order was ever verified', () => {
    const rhythms = [rhythm([ago(HOUR / 2)], 'cart-a')];
    const { needs } = listNeeds({ ...NOTHING, rejections, rhythms }, NOW);
    expect(needs).toMatchObject([{ buyers: 3, facts: { lastOrderAt: null } }]);
  });

  test('is mended once an order is verified', () => {
    expect(kindsOf({ rejections, rhythms: [rhythm([ago(HOUR / 2)], 'storefront-b')] })).toEqual([]);
  });
});

describe('a connection', () => {
  test('is silent after twice its longest pause', () => {
    expect(kindsOf({ rhythms: [rhythm(timesOf(9, 4 * DAY + 1, 2 * DAY))] })).toEqual(['silent']);
    expect(kindsOf({ rhythms: [rhythm(timesOf(9, 4 * DAY, 2 * DAY))] })).toEqual([]);
  });

  test('may sleep for a day, however busy it was', () => {
    expect(kindsOf({ rhythms: [rhythm(timesOf(50, DAY, HOUR))] })).toEqual([]);
    expect(kindsOf({ rhythms: [rhythm(timesOf(50, DAY + 1, HOUR))] })).toEqual(['silent']);
  });

  test('has no rhythm before its fifth order', () => {
    expect(kindsOf({ rhythms: [rhythm(timesOf(4, 2 * DAY, HOUR))] })).toEqual([]);
    expect(kindsOf({ rhythms: [rhythm([])] })).toEqual([]);
  });

  test('is taken for given up after a month', () => {
    expect(kindsOf({ rhythms: [rhythm(timesOf(9, 31 * DAY, HOUR))] })).toEqual([]);
  });

  test('tells the pause that is usual', () => {
    const [need] = listNeeds({ ...NOTHING, rhythms: [rhythm(timesOf(9, 3 * DAY, HOUR))] }, NOW).needs;
    expect(need).toMatchObject({ facts: { lastOrderAt: ago(3 * DAY), usualPauseMs: HOUR } });
  });
});

test('a subscription is spoken of two weeks before its end', () => {
  expect(kindsOf({ subscriptionExpiresAt: ago(-14 * DAY) })).toEqual(['subscription-ends']);
  expect(kindsOf({ subscriptionExpiresAt: ago(-14 * DAY - 1) })).toEqual([]);
});
