import { addIntegrationSecret } from '../../access/add-integration-secret.ts';
import { setConnectionRules } from '../../access/set-connection-rules.ts';
import { setIntegrationSecret } from '../../access/set-integration-secret.ts';
import type { TestRunner } from '../runner.ts';
import { makeOrder } from '../samples.ts';
import type { CreateStores, OpenedShop } from './harness.ts';
import { openFreshShop } from './harness.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Several secrets of one connection, and its rules. */
export function connectionsContract({ describe, it, expect }: TestRunner, createStores: CreateStores): void {
  describe('an added secret', () => {
    it('lasts beside those that were there', async () => {
      const opened = await openFreshShop(createStores);
      expect(await add(opened, 'second')).toEqual({ kind: 'added' });
      opened.clock.advance(2 * DAY);
      expect(await secretsOf(opened)).toEqual(['second', 'test-secret']);
    });

    it('that is there already changes nothing', async () => {
      const opened = await openFreshShop(createStores);
      expect(await add(opened, ' test-secret ')).toEqual({ kind: 'known' });
      expect(await secretsOf(opened)).toEqual(['test-secret']);
    });

    it('lasts again, though it was replaced before', async () => {
      const opened = await openFreshShop(createStores);
      const { shop, stores } = opened;
      const main = { orgId: shop.orgId, platform: 'storefront-a', name: 'main' } as const;
      await setIntegrationSecret(
        { ...opened, connections: stores.connections },
        { ...main, secret: 'second' },
      );
      expect(await add(opened, 'test-secret')).toEqual({ kind: 'added' });
      opened.clock.advance(2 * DAY);
      expect([...(await secretsOf(opened))].sort()).toEqual(['second', 'test-secret']);
    });

    it('is one, though it is added twice at once', async () => {
      const opened = await openFreshShop(createStores);
      const outcomes = await Promise.all(['second', 'second'].map((secret) => add(opened, secret)));
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['added', 'known']);
      expect(await secretsOf(opened)).toHaveLength(2);
    });

    it('makes the connection where there is none', async () => {
      const opened = await openFreshShop(createStores);
      expect(await add(opened, 'other', 'outlet')).toEqual({ kind: 'created' });
      const list = await opened.stores.connections.list(
        opened.shop.orgId,
        'storefront-a',
        opened.clock.now(),
      );
      expect((list ?? []).map(({ name }) => name).sort()).toEqual(['main', 'outlet']);
    });

    it('needs an organisation, and a text', async () => {
      const opened = await openFreshShop(createStores);
      const elsewhere = { ...opened, shop: { ...opened.shop, orgId: opened.ids.next() } };
      expect(await add(elsewhere, 'second')).toEqual({ kind: 'unknown-organisation' });
      expect(await add({ ...opened, shop: { ...opened.shop, orgId: 'nobody' } }, 'second')).toEqual({
        kind: 'unknown-organisation',
      });
      expect(await add(opened, ' ')).toEqual({
        kind: 'invalid',
        field: 'secret',
        problem: 'must not be empty',
      });
    });
  });

  describe('the rules of a connection', () => {
    it('are the usual ones until others are set, and those not named stay', async () => {
      const opened = await openFreshShop(createStores);
      const usual = { strict: false, ignoreTestOrders: false, defaultCurrency: null };
      expect(await rulesOf(opened)).toEqual(usual);
      expect(await set(opened, { strict: true })).toEqual({ kind: 'set', rules: { ...usual, strict: true } });
      const rules = { strict: true, ignoreTestOrders: true, defaultCurrency: 'CHF' };
      expect(await set(opened, { ignoreTestOrders: true, defaultCurrency: ' chf' })).toEqual({
        kind: 'set',
        rules,
      });
      expect(await set(opened, {})).toEqual({ kind: 'set', rules });
      expect(await rulesOf(opened)).toEqual(rules);
      expect((await set(opened, { defaultCurrency: null })).kind).toEqual('set');
      expect((await rulesOf(opened))?.defaultCurrency).toBe(null);
    });

    it('stay when its secret is replaced', async () => {
      const opened = await openFreshShop(createStores);
      const { shop, stores } = opened;
      await set(opened, { strict: true });
      await setIntegrationSecret(
        { ...opened, connections: stores.connections },
        { orgId: shop.orgId, platform: 'storefront-a', name: 'main', secret: 'second' },
      );
      expect((await rulesOf(opened))?.strict).toBe(true);
    });

    it('are recalled with its orders, and with no other connection’s', async () => {
      const opened = await openFreshShop(createStores);
      const { shop, stores } = opened;
      await add(opened, 'other', 'outlet');
      await set(opened, { ignoreTestOrders: true, defaultCurrency: 'CHF' });
      const main = await stores.fulfilment.recall(makeOrder(shop));
      expect(main).toMatchObject({ ignoreTestOrders: true, defaultCurrency: 'CHF' });
      const list = await stores.connections.list(shop.orgId, 'storefront-a', opened.clock.now());
      const outlet = list?.find(({ name }) => name === 'outlet')?.id ?? '';
      const other = await stores.fulfilment.recall(makeOrder(shop, { connectionId: outlet }));
      expect(other).toMatchObject({ ignoreTestOrders: false, defaultCurrency: null });
    });

    it('need a connection, and a currency that exists', async () => {
      const opened = await openFreshShop(createStores);
      expect(await set(opened, { strict: true }, 'outlet')).toEqual({ kind: 'unknown-connection' });
      expect(await set({ ...opened, shop: { ...opened.shop, orgId: 'nobody' } }, { strict: true })).toEqual({
        kind: 'unknown-connection',
      });
      expect((await set(opened, { defaultCurrency: 'EURO' })).kind).toBe('invalid');
    });
  });
}

function add(opened: OpenedShop, secret: string, name = 'main') {
  const { shop, stores } = opened;
  return addIntegrationSecret(
    { ...opened, connections: stores.connections },
    { orgId: shop.orgId, platform: 'storefront-a', name, secret },
  );
}

function set(opened: OpenedShop, rules: Parameters<typeof setConnectionRules>[1]['rules'], name = 'main') {
  const { orgId } = opened.shop;
  return setConnectionRules(opened.stores, { orgId, platform: 'storefront-a', name, rules });
}

async function listMain({ shop, stores, clock }: OpenedShop) {
  const list = await stores.connections.list(shop.orgId, 'storefront-a', clock.now());
  return list?.find(({ name }) => name === 'main');
}

async function secretsOf(opened: OpenedShop): Promise<readonly string[]> {
  return (await listMain(opened))?.secrets ?? [];
}

async function rulesOf(opened: OpenedShop) {
  return (await listMain(opened))?.rules;
}
