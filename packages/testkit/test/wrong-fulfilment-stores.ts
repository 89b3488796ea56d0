import type { Delivery, FulfilmentStore, LeasedJob } from '@handover/domain';
import { createInMemoryFulfilmentStore, createMemory, type Memory } from '@handover/domain/memory';

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
    seenBy: 'a plan sells one order once, of twenty that are decided at once',
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
    seenBy: 'a plan is refused whole when the catalogue has changed since',
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
    seenBy: 'a plan is refused whole when the catalogue has changed since',
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
    seenBy: 'a plan makes one customer of one address, in whatever spelling, also at once',
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
    seenBy: 'what bears on an order is its products, by slug or id in any case, and no other',
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
      'what bears on an order is nothing of another organisation’s, or of an order of the same number elsewhere',
    change: (store, memory) => ({
      loadSnapshot: (order) => {
        const same = [...memory.purchases.values()].find(({ orderId }) => orderId === order.orderId);
        return store.loadSnapshot({ ...order, connectionId: same?.connectionId ?? order.connectionId });
      },
    }),
  },
  'keeps bodies as text': {
    part: 'fulfilment',
    seenBy: 'an entry of the log is kept byte by byte, with its headers and its note',
    change: (store) => ({
      record: ({ body, ...recording }) => {
        const text = new TextDecoder().decode(body.bytes);
        return store.record({ ...recording, body: { ...body, bytes: new TextEncoder().encode(text) } });
      },
    }),
  },
  'loses the note of an entry': {
    part: 'fulfilment',
    seenBy: 'a plan leaves what was noted as the request came before its own note',
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
      'an entry of the log is recorded under a proof that came before with another body only where the store says so',
    change: (store) => ({ record: (recording) => store.record({ ...recording, proof: null }) }),
  },
  'records what was rejected, whether it is kept or not': {
    part: 'fulfilment',
    seenBy: 'an entry of the log that was among the rejected is not recorded where it is not among them',
    change: (store) => ({ record: (recording) => store.record({ ...recording, rejectedId: null }) }),
  },
  'keeps amounts as numbers': {
    part: 'receipts',
    seenBy: 'a receipt says all that its mail needs, with every digit of the amount',
    change: (store) => ({
      commit: (plan) =>
        store.commit({
          ...plan,
          purchases: plan.purchases.map((one) => ({ ...one, amount: String(Number(one.amount)) })),
        }),
    }),
  },
  'lets two processes send a receipt': {
    part: 'receipts',
    seenBy: 'a receipt is claimed by one of many at once',
    change: (store, memory) => ({
      claim: (orgId, id, now, newLinkId) => {
        const row = memory.emails.get(id);
        if (row) memory.emails.set(id, { ...row, claimedUntil: null });
        return store.claim(orgId, id, now, newLinkId);
      },
    }),
  },
  'takes the answer of a claim that lapsed': {
    part: 'receipts',
    seenBy: 'a receipt goes to another claim when the first one lapses, whose answer then changes nothing',
    change: (store, memory) => ({
      complete: (orgId, id, claimId, outcome) =>
        store.complete(orgId, id, String(memory.emails.get(id)?.claims ?? claimId), outcome),
    }),
  },
  'never ends the claim of a process that died': {
    part: 'receipts',
    seenBy: 'a receipt goes to another claim when the first one lapses, whose answer then changes nothing',
    change: (store, memory) => ({
      claim: async (...asked) => {
        const claim = await store.claim(...asked);
        const row = memory.emails.get(asked[1]);
        if (claim.kind === 'claimed' && row) memory.emails.set(row.id, { ...row, claimedUntil: FOREVER });
        return claim;
      },
    }),
  },
  'mails the receipts of every organisation': {
    part: 'receipts',
    seenBy: 'a receipt is unknown to another organisation',
    change: (store, memory) => ({
      claim: (orgId, id, ...rest) => store.claim(memory.emails.get(id)?.orgId ?? orgId, id, ...rest),
    }),
  },
  'hands out a due job twice': {
    part: 'jobs',
    seenBy: 'a job is handed out to one of many at once',
    change: (store) => ({ takeJob: (now) => store.takeJob(now, now) }),
  },
  'loses the job of a process that died': {
    part: 'jobs',
    seenBy: 'a job is handed out again when its lease ran out, and the former lease then ends nothing',
    change: (store) => ({ takeJob: (now) => store.takeJob(now, FOREVER) }),
  },
  'ends a job by its kind and subject, whoever holds it': {
    part: 'jobs',
    seenBy: 'a job that is queued anew while it runs is not ended with its former lease',
    change: (_store, { jobs }) => ({
      endJob: async ({ job }: LeasedJob, again) => {
        const subject = 'deliveryId' in job ? job.deliveryId : job.emailId;
        const key = `${job.kind} ${subject}`;
        if (again) jobs.set(key, { ...job, startAfter: again });
        else jobs.delete(key);
      },
    }),
  },
  'records an entry without its job': {
    part: 'jobs',
    seenBy: 'a job is queued with its entry, and handed out when it is due',
    change: (store) => ({ record: (recording) => store.record({ ...recording, jobs: [] }) }),
  },
  'hands out jobs before they are due': {
    part: 'jobs',
    seenBy: 'a job is queued with its entry, and handed out when it is due',
    change: (store) => ({ takeJob: (_now, until) => store.takeJob(FOREVER, until) }),
  },
};

const FOREVER = new Date('9999-01-01T00:00:00.000Z');

/** The wrong store, new and empty. */
export function createWrongStore({ change }: WrongStore) {
  const memory = createMemory();
  const { putShop, ...store } = createInMemoryFulfilmentStore([], memory);
  return { putShop, store: { ...store, ...change(store, memory) } };
}
