import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestStores } from '../../packages/adapters-postgres/src/testing/index.ts';
import { fulfilOrder, rerunEntries } from '../../packages/domain/src/index.ts';
import { openFreshShop } from '../../packages/testkit/src/contracts/harness.ts';
import { HOUR, openInviter } from '../../packages/testkit/src/contracts/invite.ts';
import { BY_JANA, makeLine, makeOrder, recordOrder } from '../../packages/testkit/src/samples.ts';
import { shareInFile } from '../../test/undo.ts';
import { startNodes } from './nodes.ts';
import { openCitusStores } from './open-citus-stores.ts';

/** Which of two comes first on which node is a matter of luck. */
const ROUNDS = 200;

const nodes = shareInFile(startNodes);
let opened: TestStores;
beforeAll(async () => {
  opened = await openCitusStores(nodes(), 'races');
});
afterAll(() => opened.close());

const open = () =>
  openFreshShop(async () => {
    await opened.clear();
    return opened;
  });

test('of two invitations of one address at once, one is sent, and none meets a deadlock', async () => {
  const shop = await open();
  const { invite } = await openInviter(shop);
  for (let round = 0; round < ROUNDS; round += 1) {
    const both = [`jo${round}@example.com`, `JO${round}@Example.com`].map((email) => invite(email));
    expect((await Promise.all(both)).map(({ kind }) => kind).sort()).toEqual(['already-invited', 'invited']);
    shop.clock.advance(HOUR);
  }
});

test('of two who deliver a failed order again at once, one queues it and has the entry', async () => {
  const shop = await open();
  const { orgId } = shop.shop;
  const ports = { ...shop, ...shop.stores };
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = makeOrder(shop.shop, { orderId: `9${round}`, lines: [makeLine('UNKNOWN')] });
    const { id: deliveryId } = await recordOrder(shop, order);
    await fulfilOrder(ports, order, { id: deliveryId, attempts: 0 });
    const entry = await shop.stores.deliveries.find(orgId, deliveryId);
    const seen = [{ deliveryId, attempts: entry?.attempts ?? 0 }];
    // The job that it was recorded with has run.
    await shop.dropJobs(await shop.queuedJobs());
    const rerun = () => rerunEntries(ports, orgId, seen, BY_JANA);
    expect((await Promise.all([rerun(), rerun()])).sort()).toEqual([0, 1]);
  }
  const entries = await shop.stores.activity.list(orgId, { subjectId: null, before: null, limit: 500 });
  expect(entries.filter(({ kind }) => kind === 'delivery-redelivered')).toHaveLength(ROUNDS);
});
