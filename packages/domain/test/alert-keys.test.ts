import {
  type AlertDetails,
  alertOfRefusal,
  alertOfRejection,
  type Connection,
  type ReceivedDelivery,
  type RejectedDelivery,
  type TranslatedEntry,
} from '@handover/domain';
import { makeOrder } from '@handover/testkit';
import { describe, expect, it, test } from 'vitest';
import { alertOfEntry } from '../src/model/alert.ts';
import { openShopInMemory } from './open-shop-in-memory.ts';

const NOW = new Date('2026-03-02T09:00:00.000Z');

test.each([
  [{ connectionId: 'c', orderId: '7' }, 'order c 7'],
  [{ connectionId: 'c', orderId: null }, 'receipt r'],
  [{ connectionId: null, orderId: '7' }, 'receipt r'],
  [{ connectionId: null, orderId: null }, 'receipt r'],
])('a refused receipt of %j is a problem of its order, or of itself', (of, about) => {
  const details: AlertDetails = {
    deliveryId: null,
    platform: null,
    orderNumber: null,
    customerEmail: 'ana@example.com',
    reason: 'No such mailbox.',
    at: NOW,
  };
  expect(alertOfRefusal({ orgId: 'o', id: 'r', ...of }, details)).toEqual({
    orgId: 'o',
    cause: 'receipt-refused',
    about,
    subjectId: 'r',
    details,
  });
});

test('an entry without a reason is told without one', () => {
  const entry = {
    id: 'd',
    orgId: 'o',
    platform: 'cart-a',
    connectionId: 'c',
    orderId: null,
    orderNumber: null,
  } as const;
  const alert = alertOfEntry(entry, 'unreadable', { customerEmail: null, reason: null, at: NOW });
  expect(alert).toMatchObject({ about: 'unreadable c', details: { reason: '' } });
});

describe('a request that was rejected', () => {
  const ignored = { kind: 'ignored' } as TranslatedEntry;
  const rejected: RejectedDelivery = {
    id: 'x',
    orgId: 'o',
    platform: 'storefront-a',
    receivedAt: NOW,
    source: 'network',
    reason: 'The signature is wrong.',
    bytes: new Uint8Array(),
    headers: {},
    secretFingerprint: null,
    order: { orderId: '7', normalizedEmail: 'ana@example.com' },
  };
  const { order: _, ...withoutOrder } = rejected;
  const connection = {} as Connection;
  const raised = { orgId: 'o', cause: 'rejected', about: 'rejected storefront-a', subjectId: 'x' };

  /** The alert, and what it was asked with, for a reader that reads this. */
  async function alertOf(
    content: ReceivedDelivery['content'] | null,
    {
      known = [],
      hasReceived = false,
      order = rejected.order,
    }: {
      readonly known?: readonly Connection[] | null;
      readonly hasReceived?: boolean;
      readonly order?: RejectedDelivery['order'] | null;
    } = {},
  ) {
    const asked: unknown[] = [];
    const alert = await alertOfRejection(
      {
        connections: {
          list: async (...given) => {
            asked.push(given);
            return known;
          },
        },
        deliveries: { hasReceived: async () => hasReceived },
        rejectedReader: {
          read: (...given) => {
            asked.push(given);
            return content && ({ content } as ReceivedDelivery);
          },
        },
      },
      order ? { ...rejected, order } : withoutOrder,
    );
    return { alert, asked };
  }

  it('is told with the names of its first order, if a secret signed it that has ended', async () => {
    const { shop } = await openShopInMemory();
    const order = makeOrder(shop, { orderNumber: '1252' });
    const entries = [ignored, { kind: 'order', order } as TranslatedEntry];
    const { alert, asked } = await alertOf({ kind: 'translated', entries } as ReceivedDelivery['content']);
    expect(alert).toEqual({
      ...raised,
      details: {
        deliveryId: null,
        platform: 'storefront-a',
        orderNumber: '1252',
        customerEmail: order.customer.email,
        reason: 'It is signed with a secret that was replaced here and has ended.',
        at: NOW,
      },
    });
    // Of all secrets that there ever were.
    expect(asked).toEqual([
      ['o', 'storefront-a', new Date(0)],
      [rejected, []],
    ]);
  });

  it.each([
    { kind: 'translated', entries: [ignored] },
    { kind: 'unreadable', reason: 'No JSON.', entries: [{ kind: 'order', order: {} }] },
  ])('is told without names if no order can be read: %j', async (content) => {
    const { alert } = await alertOf(content as unknown as ReceivedDelivery['content']);
    expect(alert?.details).toMatchObject({ orderNumber: null, customerEmail: null });
  });

  it('is told without any of its words if nothing was ever accepted from a platform that is set up', async () => {
    const { alert } = await alertOf(null, { known: [connection] });
    expect(alert).toEqual({
      ...raised,
      details: {
        deliveryId: null,
        platform: 'storefront-a',
        orderNumber: null,
        customerEmail: null,
        reason: expect.stringContaining('the secret may be mistyped'),
        at: NOW,
      },
    });
  });

  it.each([
    ['something was accepted before', { known: [connection], hasReceived: true }],
    ['it does not look like an order', { known: [connection], order: null }],
    ['the platform is not set up', { known: [] }],
  ])('is not told if no secret of the organisation signed it, and %s', async (_, facts) => {
    expect((await alertOf(null, facts)).alert).toBe(null);
  });

  it('is not told if there is no such organisation', async () => {
    expect(await alertOf(null, { known: null })).toEqual({
      alert: null,
      asked: [expect.anything(), [rejected, []]],
    });
  });
});
