import {
  type ActionItemFacts,
  type ConnectionState,
  isSubjectOfActionItem,
  listActionItems,
  type PlatformState,
  subjectOfActionItem,
} from '@handover/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const NOW = new Date('2026-10-14T14:32:00Z');
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const NOTHING: ActionItemFacts = {
  held: [],
  unmatched: null,
  refused: null,
  postponed: null,
  failed: null,
  unreadable: null,
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

/** One shop of a platform, last heard of so long ago, with what is kept of requests that were rejected. */
function platformState(
  state: ConnectionState,
  heardAgo: number | null,
  kept = 0,
): PlatformState & { readonly platform: 'storefront-b' } {
  const lastDelivery =
    heardAgo === null ? null : { id: 'd1', at: ago(heardAgo), orderId: '7', orderNumber: null };
  const connection = {
    id: 'c1',
    platform: 'storefront-b',
    name: 'EU shop',
    rules: { strict: false, ignoreTestOrders: false, defaultCurrency: null },
    secretSetAt: ago(90 * DAY),
    secretCount: 1,
    hasShortSecret: false,
    formerUntil: null,
    hasAccount: false,
    lastDelivery,
    arrivals: [],
    state,
  } as const;
  const summary = {
    platform: 'storefront-b',
    count: kept,
    kept,
    lastAt: ago(HOUR),
    lastReason: 'No.',
  } as const;
  return { platform: 'storefront-b', connections: [connection], rejected: kept > 0 ? summary : null };
}

function kindsOf(
  facts: Partial<ActionItemFacts>,
  platforms: readonly PlatformState[] = [],
): readonly string[] {
  return listActionItems({ ...NOTHING, ...facts }, platforms, [], NOW).actionItems.map(({ kind }) => kind);
}

describe('what needs a person', () => {
  test('is nothing where there is nothing', () => {
    expect(listActionItems(NOTHING, [], [], NOW)).toEqual({ actionItems: [], dismissed: [], buyers: 0 });
  });

  test('goes by how many buyers it keeps waiting, and counts them all', () => {
    const facts = {
      ...NOTHING,
      held: [HELD, { ...HELD, productId: 'p2', orders: 9 }],
      unmatched: UNMATCHED,
      refused: REFUSED,
      givenUpAlerts: GIVEN_UP,
    };
    const { actionItems, buyers } = listActionItems(
      facts,
      [platformState('rejecting', 9 * HOUR, 12)],
      [],
      NOW,
    );
    expect(actionItems.map(({ kind, buyers: of }) => [kind, of])).toEqual([
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
        const { actionItems, buyers } = listActionItems({ ...NOTHING, held }, [], [], NOW);
        expect(buyers).toBe(orders.reduce((sum, count) => sum + count, 0));
        expect(actionItems.map((actionItem) => actionItem.buyers)).toEqual([...orders].sort((a, b) => b - a));
      }),
    );
  });
});

describe('a platform', () => {
  test('that rejects what comes in keeps its buyers waiting', () => {
    const { actionItems } = listActionItems(NOTHING, [platformState('rejecting', 9 * HOUR, 12)], [], NOW);
    expect(actionItems).toEqual([
      {
        kind: 'rejecting',
        buyers: 12,
        at: ago(HOUR),
        facts: { platform: 'storefront-b', rejected: 12, hasSecret: true, lastDeliveryAt: ago(9 * HOUR) },
      },
    ]);
  });

  test('that nobody set up needs somebody, once something is sent to it', () => {
    const { rejected } = platformState('not-set-up', null, 3);
    const { actionItems } = listActionItems(
      NOTHING,
      [{ platform: 'storefront-b', connections: [], rejected }],
      [],
      NOW,
    );
    expect(actionItems).toMatchObject([{ kind: 'rejecting', facts: { hasSecret: false } }]);
    expect(kindsOf({}, [{ platform: 'storefront-b', connections: [], rejected: null }])).toEqual([]);
  });

  test('with a short secret needs a longer one, after everything that keeps buyers waiting', () => {
    const state = platformState('working', HOUR);
    const connections = state.connections.map((connection) => ({ ...connection, hasShortSecret: true }));
    const { actionItems } = listActionItems(
      { ...NOTHING, held: [HELD] },
      [{ ...state, connections }],
      [],
      NOW,
    );
    expect(actionItems.map(({ kind }) => kind)).toEqual(['held', 'short-secret']);
    expect(actionItems[1]).toEqual({
      kind: 'short-secret',
      buyers: 0,
      at: ago(90 * DAY),
      facts: { connectionId: 'c1', platform: 'storefront-b', name: 'EU shop' },
    });
  });

  test('keeps its rejected deliveries in view, whatever arrived since', () => {
    expect(kindsOf({}, [platformState('working', HOUR / 2, 12)])).toEqual(['rejecting']);
    expect(kindsOf({}, [platformState('working', HOUR / 2, 0)])).toEqual([]);
  });
});

test('a connection that is quiet is spoken of for a month, then it is taken for given up', () => {
  expect(kindsOf({}, [platformState('quiet', 3 * DAY)])).toEqual(['silent']);
  expect(kindsOf({}, [platformState('quiet', 30 * DAY + 1)])).toEqual([]);
  expect(kindsOf({}, [platformState('working', 3 * DAY)])).toEqual([]);
});

test('a subscription is spoken of two weeks before its end', () => {
  expect(kindsOf({ subscriptionExpiresAt: ago(-14 * DAY) })).toEqual(['subscription-ends']);
  expect(kindsOf({ subscriptionExpiresAt: ago(-14 * DAY - 1) })).toEqual([]);
});

describe('what was dismissed', () => {
  const dismissal = { subject: 'held p1', reason: 'They were refunded.', by: 'jana@example.com', at: NOW };
  const listed = (seenAt: Date, seenCount: number) => {
    const dismissals = [{ ...dismissal, seenAt, seenCount }];
    const { actionItems, dismissed, buyers } = listActionItems(
      { ...NOTHING, held: [HELD] },
      [],
      dismissals,
      NOW,
    );
    return { kinds: actionItems.map(({ kind }) => kind), dismissed: dismissed.length, buyers };
  };

  test('is out of view, with its buyers, as long as it is what was seen', () => {
    expect(listed(HELD.newestAt, HELD.orders)).toEqual({ kinds: [], dismissed: 1, buyers: 0 });
  });

  test('comes back once it got worse, or concerns more', () => {
    const shown = { kinds: ['held'], dismissed: 0, buyers: HELD.orders };
    expect(listed(new Date(HELD.newestAt.getTime() - 1), HELD.orders)).toEqual(shown);
    expect(listed(HELD.newestAt, HELD.orders - 1)).toEqual(shown);
  });

  test('hides nothing of another subject', () => {
    const other = { ...HELD, productId: 'p2' };
    const seen = { ...dismissal, seenAt: NOW, seenCount: 1000 };
    const { actionItems } = listActionItems({ ...NOTHING, held: [HELD, other] }, [], [seen], NOW);
    expect(actionItems).toMatchObject([{ facts: { productId: 'p2' } }]);
  });
});

describe('the subject of a dismissal', () => {
  test('is recognised for everything that is listed', () => {
    const facts = {
      ...NOTHING,
      held: [HELD],
      unmatched: UNMATCHED,
      refused: REFUSED,
      subscriptionExpiresAt: NOW,
    };
    const platforms = [platformState('quiet', 3 * DAY), platformState('working', HOUR, 12)];
    const subjects = listActionItems(facts, platforms, [], NOW).actionItems.map(subjectOfActionItem);
    expect(subjects.length).toBeGreaterThan(5);
    expect(subjects.filter((subject) => !isSubjectOfActionItem(subject))).toEqual([]);
  });

  test.each([
    'order c1 1001',
    'delivery d1',
    'receipt r1',
    'rejected r1',
    'held',
    'failed 1',
    'toString',
    '',
  ])('is none of an action item: “%s”', (subject) => {
    expect(isSubjectOfActionItem(subject)).toBe(false);
  });
});
