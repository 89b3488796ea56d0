import { fulfilOrder, requestMyLinks } from '@handover/domain';
import { createCountingIds, createFakeApiKeys, makeOrder, openShop, recordOrder } from '@handover/testkit';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openTestStores, type TestStores } from '../src/testing/index.ts';
import { watchStatements } from './watch-statements.ts';

let opened: TestStores;

beforeAll(async () => {
  opened = await openTestStores(inject('postgres'));
});

afterAll(() => opened.close());

it('a request for everything bought runs the same statements for known and for unknown addresses', async () => {
  const clock = { now: () => new Date() };
  const ports = {
    ...opened.stores,
    stores: opened.stores,
    clock,
    ids: createCountingIds(7),
    apiKeys: createFakeApiKeys(),
  };
  const shop = await openShop(ports);
  const order = makeOrder(shop);
  const { id } = await recordOrder(ports, order);
  await fulfilOrder(ports, order, { id, attempts: 0 });
  const statementsFor = async (email: string) => {
    const { result, statements } = await watchStatements(opened, () =>
      requestMyLinks(ports, { email, network: '203.0.113.7' }),
    );
    return { kind: result.kind, statements: statements.map(({ text }) => text) };
  };
  // The first call does what a process does only once.
  await statementsFor('first@example.com');
  const known = await statementsFor('ana@example.com');
  const unknown = await statementsFor('eva@example.com');
  expect(known.statements.length).toBeGreaterThan(4);
  expect(known).toEqual(unknown);
});
