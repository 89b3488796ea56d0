import type { Delivery, FulfilmentStore, OrderSnapshot } from '@handover/domain';
import { createInMemoryFulfilmentStore, createMemory, type Memory } from '@handover/domain/memory';
import { WRONG_WITH_RECEIPTS } from './wrong-receipt-stores.ts';

/** What a store does wrong, over one that does it right, and the test that must see it. */
export interface WrongStore {
  readonly part: 'fulfilment' | 'receipts' | 'jobs';
  readonly seenBy: string;
  readonly change: (store: FulfilmentStore, memory: Memory) => Partial<FulfilmentStore>;
}

/** Mistakes that stores of other teams have made, or could: each over the store in memory. */
export const WRONG_STORES: Readonly<Record<string, WrongStore>> = {
  'sells an order twice': {
    part: 'fulfilment',
    seenBy: 'a plan sells an order once when twenty plans for it are decided at once',
    change: (store, memory) => ({
      commit: async (plan) => {
        const kept = new Map(memory.purchases);
        memory.purchases.clear();
        const expectedVersions = { ...plan.expectedVersions, bought: null };
        const answer = await store.commit({ ...plan, customer: null, expectedVersions });
        for (const [id, purchase] of kept) memory.purchases.set(id, purchase);
        return answer;
      },
    }),
  },
  'keeps half of a refused plan': {
    part: 'fulfilment',
    seenBy: 'a plan is refused as a whole when the catalogue has changed since',
    change: (store, memory) => ({
      commit: async (plan) => {
        const answer = await store.commit(plan);
        if (answer !== 'committed' && plan.customer) memory.customers.set(plan.customer.id, plan.customer);
        return answer;
      },
    }),
  },
  'commits over a catalogue that has changed': {
    part: 'fulfilment',
    seenBy: 'a plan is refused as a whole when the catalogue has changed since',
    change: (store) => ({
      commit: (plan) =>
        store.commit({ ...plan, expectedVersions: { ...plan.expectedVersions, catalogueRevision: null } }),
    }),
  },
  'decides an entry again that was decided': {
    part: 'fulfilment',
    seenBy: 'a plan is answered by decided-meanwhile once its entry was decided, whatever else has changed',
    change: (store, memory) => ({
      commit: (plan) => {
        const attempts = memory.deliveries.get(plan.delivery.id)?.attempts ?? 0;
        return store.commit({ ...plan, expectedVersions: { ...plan.expectedVersions, attempts } });
      },
    }),
  },
  'tells customers apart by the spelling of their address': {
    part: 'fulfilment',
    seenBy: 'a plan creates one customer for an address in any spelling, also at once',
    change: (store, memory) => {
      const findExact = (orgId: string, email: string | null) =>
        [...memory.customers.values()].find((one) => one.orgId === orgId && one.email === email);
      return {
        loadSnapshot: async (order) => {
          const customer = findExact(order.orgId, order.customer.email);
          return { ...(await store.loadSnapshot(order)), customer: customer ? { id: customer.id } : null };
        },
        commit: async (plan) => {
          const { customer } = plan;
          if (customer && findExact(customer.orgId, customer.email)) return 'changed-meanwhile';
          const answer = await store.commit({ ...plan, customer: null });
          if (answer === 'committed' && customer) memory.customers.set(customer.id, customer);
          return answer;
        },
      };
    },
  },
  'shows an entry to every organisation': {
    part: 'fulfilment',
    seenBy: 'an entry of the log is unknown to another organisation',
    change: (store, memory) => ({
      find: (orgId, id) => store.find(memory.deliveries.get(id)?.orgId ?? orgId, id),
    }),
  },
  'finds products of every organisation': {
    part: 'fulfilment',
    seenBy: 'the snapshot of an order has its products, by slug or id in any case, and no others',
    change: (store, memory) => ({
      loadSnapshot: async (order) => {
        const wanted = order.lines.flatMap(({ candidates }) => candidates.map(({ value }) => value));
        const found = wanted.flatMap((id) => memory.products.get(id) ?? []);
        const known = await store.loadSnapshot(order);
        return { ...known, products: [...known.products, ...found] };
      },
    }),
  },
  'tells orders apart by their number alone': {
    part: 'fulfilment',
    seenBy:
      'the snapshot of an order has nothing of another organisation, nor of an order with the same number elsewhere',
    change: (store, memory) => ({
      loadSnapshot: (order) => {
        const same = [...memory.purchases.values()].find(({ orderId }) => orderId === order.orderId);
        return store.loadSnapshot({ ...order, connectionId: same?.connectionId ?? order.connectionId });
      },
    }),
  },
  'keeps bodies as text': {
    part: 'fulfilment',
    seenBy: 'an entry of the log is stored byte by byte, with its headers and its note',
    change: (store) => ({
      record: ({ body, ...recording }) => {
        const text = new TextDecoder().decode(body.bytes);
        return store.record({ ...recording, body: { ...body, bytes: new TextEncoder().encode(text) } });
      },
    }),
  },
  'loses the note of an entry': {
    part: 'fulfilment',
    seenBy: 'a plan puts its own note after the note from the request',
    change: (store) => ({
      record: (recording) =>
        store.record({
          ...recording,
          deliveries: recording.deliveries.map((entry): Delivery => ({ ...entry, note: null })),
        }),
    }),
  },
  'passes a proof over': {
    part: 'fulfilment',
    seenBy:
      'an entry of the log is recorded with a proof that was used before with another body only if the store allows it',
    change: (store) => ({ record: (recording) => store.record({ ...recording, proof: null }) }),
  },
  'records what was rejected, whether it is kept or not': {
    part: 'fulfilment',
    seenBy: 'an entry of the log of a rejected request is not recorded if that request is not there',
    change: (store) => ({ record: (recording) => store.record({ ...recording, rejectedId: null }) }),
  },
  'records the first entry of a request alone': {
    part: 'fulfilment',
    seenBy: 'an entry of the log is stored with all other entries of its request',
    change: (store) => ({
      record: (recording) => store.record({ ...recording, deliveries: recording.deliveries.slice(0, 1) }),
    }),
  },
  'takes the id of a vendor for a slug': {
    part: 'fulfilment',
    seenBy: 'the snapshot of an order has no product whose slug is the vendor’s id',
    change: (store) => ({
      loadSnapshot: (order) => {
        const lines = order.lines.map((line) => ({
          ...line,
          candidates: line.candidates.map(({ value }) => ({ kind: 'sku', value }) as const),
        }));
        return store.loadSnapshot({ ...order, lines });
      },
    }),
  },
  'drops the currency of the shop': {
    part: 'fulfilment',
    seenBy: 'the snapshot of an order has the currency of its shop, and the end of its subscription',
    change: changeSnapshot((known) => ({ ...known, defaultCurrency: null })),
  },
  'drops the end of the subscription': {
    part: 'fulfilment',
    seenBy: 'the snapshot of an order has the currency of its shop, and the end of its subscription',
    change: changeSnapshot((known) => ({ ...known, subscriptionExpiresAt: null })),
  },
  'forgets a product that was bought once its mapping is gone': {
    part: 'fulfilment',
    seenBy:
      'the snapshot of an order has the product that was bought, even if its names match another one now',
    change: changeSnapshot((known) => {
      const named = new Set(known.mappings.map(({ productId }) => productId));
      return {
        ...known,
        products: known.products.filter(({ id, slug }) => named.has(id) || slug !== 'pads'),
      };
    }),
  },
  'keeps no names of what was bought before': {
    part: 'fulfilment',
    seenBy: 'the snapshot of an order has every name under which a product was bought',
    change: (store) => ({
      commit: (plan) => {
        const made = new Set(plan.purchases.map(({ id }) => id));
        const purchaseAliases = plan.purchaseAliases.filter(({ purchaseId }) => made.has(purchaseId));
        return store.commit({ ...plan, purchaseAliases });
      },
    }),
  },
  'keeps no reason of an entry': {
    part: 'fulfilment',
    seenBy: 'a plan records why its entry failed',
    change: (store) => ({
      commit: (plan) => store.commit({ ...plan, delivery: { ...plan.delivery, reason: null } }),
    }),
  },
  'commits over a status that has changed': {
    part: 'fulfilment',
    seenBy: 'a plan is refused as a whole when its entry does not have the expected status',
    change: (store) => ({
      commit: ({ expectedVersions: { status: _, ...expectedVersions }, ...plan }) =>
        store.commit({ ...plan, expectedVersions }),
    }),
  },
  ...WRONG_WITH_RECEIPTS,
};

/** Answers with another snapshot. */
function changeSnapshot(change: (known: OrderSnapshot) => OrderSnapshot): WrongStore['change'] {
  return (store) => ({ loadSnapshot: async (order) => change(await store.loadSnapshot(order)) });
}

/** The wrong store, new and empty. */
export function createWrongStore({ change }: WrongStore) {
  const memory = createMemory();
  const { putShop, linkExpiresAt, ...store } = createInMemoryFulfilmentStore([], memory);
  return { putShop, linkExpiresAt, store: { ...store, ...change(store, memory) } };
}
