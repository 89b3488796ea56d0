import {
  ARRIVALS_PERIOD_MS,
  addIntegrationSecret,
  DEFAULT_RULES,
  MAX_ARRIVALS,
  SHARED_PLATFORM,
  setConnectionRules,
  setIntegrationSecret,
} from '@handover/domain';
import { makeOrder, openShop, recordOrder } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Several secrets of one connection, and its rules. */
export function connectionsContract({ describe, it, expect }: StoresRunner): void {
  describe('an added secret', () => {
    it('is valid beside the others', async (opened) => {
      expect(await add(opened, 'second-secret')).toEqual({ kind: 'added' });
      opened.clock.advance(2 * DAY);
      expect(await secretsOf(opened)).toEqual(['second-secret', 'test-secret']);
    });

    it('that is set already changes nothing', async (opened) => {
      expect(await add(opened, ' test-secret ')).toEqual({ kind: 'known' });
      expect(await secretsOf(opened)).toEqual(['test-secret']);
    });

    it('is valid again, though it was replaced before', async (opened) => {
      const { shop } = opened;
      const main = { orgId: shop.orgId, platform: 'storefront-a', name: 'main' } as const;
      await setIntegrationSecret(opened, { ...main, secret: 'second-secret' });
      expect(await add(opened, 'test-secret')).toEqual({ kind: 'added' });
      opened.clock.advance(2 * DAY);
      expect([...(await secretsOf(opened))].sort()).toEqual(['second-secret', 'test-secret']);
    });

    it('is one, though it is added twice at once', async (opened) => {
      const outcomes = await Promise.all(
        ['second-secret', 'second-secret'].map((secret) => add(opened, secret)),
      );
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['added', 'known']);
      expect(await secretsOf(opened)).toHaveLength(2);
    });

    it('adds the connection if it is missing', async (opened) => {
      expect(await add(opened, 'other-secret', 'outlet')).toEqual({ kind: 'created' });
      const list = await opened.stores.connections.list(
        opened.shop.orgId,
        'storefront-a',
        opened.clock.now(),
      );
      expect((list ?? []).map(({ name }) => name).sort()).toEqual(['main', 'outlet']);
    });

    it('needs an organisation, and a text', async (opened) => {
      const elsewhere = { ...opened, shop: { ...opened.shop, orgId: opened.ids.next() } };
      expect(await add(elsewhere, 'second-secret')).toEqual({ kind: 'unknown-organisation' });
      expect(await add({ ...opened, shop: { ...opened.shop, orgId: 'nobody' } }, 'second-secret')).toEqual({
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
    it('are the usual ones until others are set, and those not named stay', async (opened) => {
      const usual = { strict: false, ignoreTestOrders: false, defaultCurrency: null };
      expect(await rulesOf(opened)).toEqual(usual);
      expect(await set(opened, { strict: true })).toEqual({
        kind: 'set',
        rules: { ...usual, strict: true },
        isChanged: true,
      });
      expect(await set(opened, { strict: true })).toMatchObject({ kind: 'set', isChanged: false });
      const rules = { strict: true, ignoreTestOrders: true, defaultCurrency: 'CHF' };
      expect(await set(opened, { ignoreTestOrders: true, defaultCurrency: ' chf' })).toEqual({
        kind: 'set',
        rules,
        isChanged: true,
      });
      expect(await set(opened, {})).toEqual({ kind: 'set', rules, isChanged: false });
      expect(await rulesOf(opened)).toEqual(rules);
      expect((await set(opened, { defaultCurrency: null })).kind).toEqual('set');
      expect((await rulesOf(opened))?.defaultCurrency).toBe(null);
    });

    it('stay when its secret is replaced', async (opened) => {
      const { shop } = opened;
      await set(opened, { strict: true });
      await setIntegrationSecret(opened, {
        orgId: shop.orgId,
        platform: 'storefront-a',
        name: 'main',
        secret: 'second-secret',
      });
      expect((await rulesOf(opened))?.strict).toBe(true);
    });

    it('are recalled with its orders, and with no other connection’s', async (opened) => {
      const { shop, stores } = opened;
      await add(opened, 'other-secret', 'outlet');
      await set(opened, { ignoreTestOrders: true, defaultCurrency: 'CHF' });
      const main = await stores.fulfilment.loadSnapshot(makeOrder(shop));
      expect(main).toMatchObject({ ignoreTestOrders: true, defaultCurrency: 'CHF' });
      const list = await stores.connections.list(shop.orgId, 'storefront-a', opened.clock.now());
      const outlet = list?.find(({ name }) => name === 'outlet')?.id ?? '';
      const other = await stores.fulfilment.loadSnapshot(makeOrder(shop, { connectionId: outlet }));
      expect(other).toMatchObject({ ignoreTestOrders: false, defaultCurrency: null });
    });

    it('need a connection, and a currency that exists', async (opened) => {
      expect(await set(opened, { strict: true }, 'outlet')).toEqual({ kind: 'unknown-connection' });
      expect(await set({ ...opened, shop: { ...opened.shop, orgId: 'nobody' } }, { strict: true })).toEqual({
        kind: 'unknown-connection',
      });
      expect((await set(opened, { defaultCurrency: 'EURO' })).kind).toBe('invalid');
    });
  });

  describe('the facts of connections', () => {
    it('tell what was set, and never contain the secret', async (opened) => {
      const setAt = opened.clock.now();
      opened.clock.advance(DAY);
      expect(await factsOf(opened)).toMatchObject({
        platform: 'storefront-a',
        rules: DEFAULT_RULES,
        secretSetAt: setAt,
        secretCount: 1,
        formerUntil: null,
        hasAccount: false,
        lastDelivery: null,
        arrivals: [],
      });
      const { shop } = opened;
      const main = { orgId: shop.orgId, platform: 'storefront-a', name: 'main' } as const;
      await setIntegrationSecret(opened, { ...main, secret: 'new-secret' });
      await add(opened, 'one more');
      const formerUntil = new Date(opened.clock.now().getTime() + DAY);
      expect(await factsOf(opened)).toMatchObject({
        secretSetAt: opened.clock.now(),
        secretCount: 2,
        formerUntil,
      });
      expect(/test-secret|new-secret|one more/.test(JSON.stringify(await factsOf(opened)))).toBe(false);
      opened.clock.advance(DAY);
      expect((await factsOf(opened))?.formerUntil).toBe(null);
    });

    it('say whether a secret is shorter than it has to be by now, until it is replaced', async (opened) => {
      const { stores, shop, ids, clock } = opened;
      const change = { orgId: shop.orgId, platform: 'cart-a', name: 'cart', now: clock.now() } as const;
      const addSecret = (secret: string) =>
        stores.connections.addSecret({ ...change, connectionId: ids.next(), secretId: ids.next(), secret });
      const isShort = async () =>
        (await stores.connections.listFacts(shop.orgId, clock.now())).map(({ name, hasShortSecret }) => [
          name,
          hasShortSecret,
        ]);
      clock.advance(1);
      // Shorter than a new secret may be, as older versions allowed.
      await addSecret('fifteen letters');
      expect(await isShort()).toEqual([
        ['main', false],
        ['cart', true],
      ]);
      await addSecret('sixteen letters!');
      expect((await isShort())[1]).toEqual(['cart', true]);
      const { now: _, ...named } = change;
      const replacing = { ...named, secret: 'sixteen letters?' };
      await setIntegrationSecret(opened, replacing);
      expect((await isShort())[1]).toEqual(['cart', false]);
    });

    it('say whether an account is mapped to it, by its organisation and not by another', async (opened) => {
      const { stores, shop, ids, clock } = opened;
      const other = await openShop(opened, 'Other');
      const map = (orgId: string, account: string) =>
        stores.accounts.map({ account, orgId, connectionId: ids.next(), now: clock.now() });
      const accountsOf = async (orgId: string) =>
        (await stores.connections.listFacts(orgId, clock.now()))
          .filter(({ platform }) => platform === SHARED_PLATFORM)
          .map(({ name, hasAccount }) => [name, hasAccount]);
      await map(shop.orgId, 'acct_1');
      clock.advance(1);
      await map(shop.orgId, 'acct_2');
      await stores.accounts.unmap('acct_1');
      await map(other.orgId, 'acct_1');
      expect(await accountsOf(shop.orgId)).toEqual([
        ['acct_1', false],
        ['acct_2', true],
      ]);
      expect(await accountsOf(other.orgId)).toEqual([['acct_1', true]]);
    });

    it('tell the last delivery, and the times of those before', async (opened) => {
      const times: Date[] = [];
      for (const pause of [0, ARRIVALS_PERIOD_MS, 1, ARRIVALS_PERIOD_MS - 1]) {
        opened.clock.advance(pause);
        times.unshift(opened.clock.now());
        await recordOrder(opened, makeOrder(opened.shop, { orderId: `o-${times.length}` }));
      }
      const facts = await factsOf(opened);
      expect(facts?.lastDelivery).toMatchObject({ at: times[0], orderId: 'o-4' });
      expect(facts?.arrivals).toEqual(times.slice(0, 3));
    });

    it('contain only the newest deliveries', async (opened) => {
      for (let at = 0; at <= MAX_ARRIVALS; at += 1) {
        opened.clock.advance(1000);
        await recordOrder(opened, makeOrder(opened.shop, { orderId: `o-${at}` }));
      }
      expect((await factsOf(opened))?.arrivals).toHaveLength(MAX_ARRIVALS);
    });

    it('are of one organisation only, oldest connection first', async (opened) => {
      const other = await openShop(opened, 'Other');
      opened.clock.advance(1);
      await add(opened, 'other-secret', 'a-newer-one');
      await recordOrder(opened, makeOrder(opened.shop, {}));
      const { connections } = opened.stores;
      const list = await connections.listFacts(opened.shop.orgId, opened.clock.now());
      expect(list.map(({ name }) => name)).toEqual(['main', 'a-newer-one']);
      expect(list[1]?.lastDelivery).toBe(null);
      expect((await connections.listFacts(other.orgId, opened.clock.now()))[0]?.lastDelivery).toBe(null);
      expect(await connections.listFacts('x', opened.clock.now())).toEqual([]);
    });
  });
}

function add(opened: OpenedShop, secret: string, name = 'main') {
  const { shop } = opened;
  return addIntegrationSecret(opened, { orgId: shop.orgId, platform: 'storefront-a', name, secret });
}

function set(opened: OpenedShop, rules: Parameters<typeof setConnectionRules>[1]['rules'], name = 'main') {
  const { orgId } = opened.shop;
  return setConnectionRules(opened.stores, { orgId, platform: 'storefront-a', name, rules });
}

async function factsOf({ shop, stores, clock }: OpenedShop) {
  const list = await stores.connections.listFacts(shop.orgId, clock.now());
  return list.find(({ name }) => name === 'main');
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
