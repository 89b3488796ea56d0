import { createHash, randomUUID } from 'node:crypto';
import { type ApiKeys, createOrganisation, createProduct } from '@handover/domain';
import { createSqliteStores } from './index.ts';

const stores = createSqliteStores(process.argv[2] ?? ':memory:');
const hash = (key: string) => createHash('sha256').update(key).digest('hex');
// For this example only: a real program encrypts its keys.
const apiKeys: ApiKeys = {
  mint: () => {
    const key = randomUUID();
    return { key, stored: { hash: hash(key), sealed: key } };
  },
  hash,
  hint: (key) => `…${key.slice(-4)}`,
  reveal: ({ sealed }) => sealed,
};
const ports = { ...stores, apiKeys, clock: { now: () => new Date() }, ids: { next: () => randomUUID() } };

const owner = { ownerEmail: 'jana@example.com', ownerName: 'Jana Vogel' };
const made = await createOrganisation(ports, { name: 'Lumen Audio', currency: 'EUR', ...owner });
if (made.kind !== 'created') throw new Error(made.kind);
const orgId = made.organisation.id;
const pads = { name: 'Pads', slug: 'pads', description: null };
console.log((await createProduct(ports, orgId, pads)).kind, (await createProduct(ports, orgId, pads)).kind);
for await (const { product } of stores.products.list(orgId))
  console.log(`${made.organisation.name} sells ${product.name}`);
stores.close();
