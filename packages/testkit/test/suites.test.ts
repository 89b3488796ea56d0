import type { Stores } from '@handover/domain';
import { createInMemoryFulfilmentStore, createInMemoryStores } from '@handover/domain/memory';
import {
  accessContract,
  catalogueContract,
  deliveriesContract,
  fulfilmentContract,
  jobsContract,
  linksContract,
  purchasesContract,
  receiptsContract,
  type StoresPart,
} from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { runSuite } from './run-suite.ts';
import { createWrongStore, WRONG_STORES } from './wrong-fulfilment-stores.ts';

const PARTS = { fulfilment: fulfilmentContract, receipts: receiptsContract, jobs: jobsContract };
/** What each part needs of a store, and nothing else. */
const NEEDS = {
  fulfilment: ['record', 'find', 'loadSnapshot', 'commit'],
  receipts: ['record', 'find', 'loadSnapshot', 'commit', 'claim', 'complete', 'release'],
} as const;

describe('the suite of a FulfilmentStore', () => {
  test.each(Object.entries(WRONG_STORES))('catches one that %s', async (_, wrong) => {
    const failures = await runSuite((runner) => PARTS[wrong.part](runner, () => createWrongStore(wrong)));
    expect([...failures.keys()]).toContain(wrong.seenBy);
  });

  test.each(['fulfilment', 'receipts'] as const)(
    'proves %s by the methods of that part alone',
    async (part) => {
      const failures = await runSuite((runner) =>
        PARTS[part](runner, () => {
          const { putShop, linkExpiresAt, ...store } = createInMemoryFulfilmentStore();
          const kept = NEEDS[part].map((name) => [name, store[name]]);
          return { putShop, linkExpiresAt, store: Object.fromEntries(kept) };
        }),
      );
      expect([...failures]).toEqual([]);
    },
  );

  test.each(
    Object.entries(NEEDS).flatMap(([part, names]) =>
      names.map((name) => [part as keyof typeof NEEDS, name] as const),
    ),
  )('of %s says that %s is missing', async (part, name) => {
    const failures = await runSuite((runner) =>
      PARTS[part](runner, () => {
        const { putShop, linkExpiresAt, ...store } = createInMemoryFulfilmentStore();
        return { putShop, linkExpiresAt, store: { ...store, [name]: undefined } };
      }),
    );
    const said = `${part}Contract needs ${name}, which the store under test does not have.`;
    expect([...new Set(failures.values())]).toEqual([said]);
  });
});

test('receipts are proven with the expiry of their links, and with nothing less', async () => {
  const failures = await runSuite((runner) =>
    receiptsContract(runner, () => {
      const { putShop, linkExpiresAt: _, ...store } = createInMemoryFulfilmentStore();
      return { putShop, store };
    }),
  );
  const said = 'receiptsContract needs linkExpiresAt, which the store under test does not have.';
  expect([...failures.values()]).toEqual([said]);
});

type Change = (stores: Stores) => { readonly [Port in keyof Stores]?: Partial<Stores[Port]> };

/** Mistakes of whole stores: the part, the test that must see it, and what is wrong. */
const WRONG: Readonly<Record<string, readonly [StoresPart, string, Change]>> = {
  'knows an API key that was replaced': [
    accessContract,
    'key',
    ({ users }) => ({
      users: { replaceKey: async (id) => ((await users.findKey(id)) ? 'replaced' : 'unknown-user') },
    }),
  ],
  'lists without a bound': [
    deliveriesContract,
    'a page at a time',
    ({ deliveries }) => ({
      deliveries: { list: (orgId, query) => deliveries.list(orgId, { ...query, limit: 1_000_000 }) },
    }),
  ],
  'ignores an unknown page before': [
    deliveriesContract,
    'a page at a time',
    ({ deliveries }) => ({
      deliveries: { list: (orgId, query) => deliveries.list(orgId, { ...query, before: null }) },
    }),
  ],
  'gives two products one slug': [
    catalogueContract,
    'slug',
    ({ products }) => ({
      products: { add: (product) => products.add({ ...product, slug: `${product.slug}-${product.id}` }) },
    }),
  ],
  'refreshes links that expired': [
    linksContract,
    'are refreshed until they expire, and not after',
    () => ({ links: { refresh: async () => true } }),
  ],
  'adds a sale twice for one idempotency key': [
    purchasesContract,
    'key',
    ({ purchases }) => ({ purchases: { add: (sale) => purchases.add({ ...sale, idempotency: null }) } }),
  ],
};

describe('the suites of whole stores', () => {
  test.each(Object.entries(WRONG))('catch some that %s', async (_, [contract, seenBy, change]) => {
    const failures = await runSuite((runner) => contract(runner, () => openChanged(change)));
    expect([...failures.keys()].some((name) => name.includes(seenBy))).toBe(true);
  });

  test('say which method is missing, and which part needs it', async () => {
    const failures = await runSuite((runner) =>
      linksContract(runner, () => openChanged(() => ({ sessions: { begin: undefined } as object }))),
    );
    const said = 'linksContract needs sessions.begin, which the store under test does not have.';
    expect([...new Set(failures.values())]).toEqual([said]);
  });
});

async function openChanged(change: Change) {
  const { queuedJobs, finishJob, expireClaims, inTransaction, ...ports } = createInMemoryStores();
  const changes: Readonly<Record<string, object | undefined>> = change({ ...ports, inTransaction });
  const changed = Object.entries(ports).map(([name, port]) => [name, { ...port, ...changes[name] }]);
  return {
    stores: { ...Object.fromEntries(changed), inTransaction },
    queuedJobs,
    expireClaims,
    dropJobs: async (jobs: Awaited<ReturnType<typeof queuedJobs>>) => jobs.forEach(finishJob),
  };
}
