import { fulfilOrder, requestMyLinks } from '@handover/domain';
import { createCountingIds, createFakeApiKeys, makeOrder, openShop, recordOrder } from '@handover/testkit';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { openTestStores, type TestStores } from '../src/testing/index.ts';

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
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const result = await requestMyLinks(ports, { email, network: '203.0.113.7' });
    const statements = query.mock.calls.map(([statement]) => textOf(statement));
    query.mockRestore();
    return { kind: result.kind, statements };
  };
  // What is done once in a process is done before.
  await statementsFor('first@example.com');
  const known = await statementsFor('ana@example.com');
  const unknown = await statementsFor('eva@example.com');
  expect(known.statements.length).toBeGreaterThan(4);
  expect(known).toEqual(unknown);
});

function textOf(statement: unknown): string {
  const text =
    typeof statement === 'object' && statement !== null && 'text' in statement ? statement.text : statement;
  return String(text);
}
