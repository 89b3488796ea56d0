import type { DeliveryToDecide, KnownProduct, Order, OrderSnapshot, Plan } from '@handover/domain';
import { decideFulfilment } from '@handover/domain';
import { createCountingIds, makeOrder } from '@handover/testkit';

export const NOW = new Date('2026-03-02T09:00:00.000Z');

const SHOP = { orgId: 'org', connection: { id: 'connection' } };

export const PADS = published('pads', 'Pads', 'v-1');
const KEYS = published('keys', 'Keys', 'v-2');
const DRAFT: KnownProduct = { ...published('drums', 'Drums', null), status: 'draft' };
const EMPTY = published('bells', 'Bells', null);

const NOTHING_KNOWN: OrderSnapshot = {
  catalogueRevision: '7',
  subscriptionExpiresAt: null,
  defaultCurrency: null,
  ignoreTestOrders: false,
  mappings: [],
  products: [PADS, KEYS, DRAFT, EMPTY],
  customer: null,
  purchases: [],
};

/** Decides about the sample order. Four products are known and nothing else, but for what is said here. */
export function decide(
  order: Partial<Order>,
  known: Partial<OrderSnapshot> = {},
  delivery: Partial<DeliveryToDecide> = {},
): Plan {
  return decideFulfilment(
    makeOrder(SHOP, order),
    { ...NOTHING_KNOWN, ...known },
    { id: 'delivery', attempts: 0, ...delivery },
    NOW,
    createCountingIds(),
  );
}

/** What an earlier delivery of the order has sold, and how its receipt fared. */
export const bought = (productId: string, status: 'pending' | 'sent' | 'refused', attempts = 0) => ({
  id: `purchase of ${productId}`,
  productId,
  receipt: { id: `receipt of ${productId}`, status, attempts },
});

export const outcomes = (plan: Plan) => plan.delivery.lines.map(({ outcome }) => outcome);

function published(slug: string, name: string, activeVersionId: string | null): KnownProduct {
  return { id: `p-${slug}`, name, slug, status: 'published', activeVersionId };
}
