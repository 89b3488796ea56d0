import {
  addIntegrationSecret,
  createOrganisation,
  createUser,
  refreshApiKey,
  setIntegrationSecret,
  setSubscription,
} from '@handover/domain';
import { openShop } from '../samples.ts';
import type { StoresRunner } from './harness.ts';

/** Organisations, users and connections. */
export function accessContract({ describe, it, expect }: StoresRunner): void {
  describe('organisations and users', () => {
    it('finds the owner of a new organisation by the key', async ({ stores, apiKeys, shop }) => {
      const caller = await stores.users.findByKeyHash(apiKeys.hash(shop.ownerKey) ?? '');
      expect(caller?.membership).toEqual({ orgId: shop.orgId, role: 'owner', subscriptionExpiresAt: null });
    });

    it('lists organisations, oldest first, page by page', async (ports) => {
      const { organisations } = ports.stores;
      const others = [await openShop(ports, 'Second'), await openShop(ports, 'Third')];
      const orgIds = [ports.shop, ...others].map(({ orgId }) => orgId);
      const list = async (after: string | null, limit: number) =>
        (await organisations.list({ after, limit })).map(({ id }) => id);
      const [first = '', second = '', third = ''] = orgIds;
      expect(await list(null, 9)).toEqual(orgIds);
      expect(await list(null, 2)).toEqual([first, second]);
      expect(await list(first, 1)).toEqual([second]);
      expect(await list(third, 9)).toEqual([]);
      const [found] = await organisations.list({ after: second, limit: 1 });
      expect(found).toEqual(await organisations.find(third));
    });

    it('finds organisations by their whole name, in capitals or not, oldest first', async (ports) => {
      const first = await openShop(ports, 'Über 100 % Ton_GmbH');
      const second = await openShop(ports, 'ÜBER 100 % TON_GMBH');
      await openShop(ports, 'Über 100 % Ton');
      const { organisations } = ports.stores;
      const find = async (name: string, limit = 9) =>
        (await organisations.findByName(name, limit)).map(({ id }) => id);
      const both = [first.orgId, second.orgId];
      expect(await find('Über 100 % Ton_GmbH')).toEqual(both);
      expect(await find('über 100 % ton_gmbh')).toEqual(both);
      expect(await find(' ÜBER 100 % TON_GMBH\n')).toEqual(both);
      expect(await find('über 100 % ton_gmbh', 1)).toEqual([first.orgId]);
      expect(await find('Über 100 % Ton GmbH')).toEqual([]);
      expect(await find('%')).toEqual([]);
      expect(await find('')).toEqual([]);
      const [found] = await organisations.findByName('über 100 % ton_gmbh', 1);
      expect(found).toEqual(await organisations.find(first.orgId));
    });

    it('keeps the key of every user, the newest alone', async ({ stores, apiKeys, shop, ids }) => {
      const { users } = stores;
      const hash = apiKeys.hash(shop.ownerKey) ?? '';
      const userId = (await users.findByKeyHash(hash))?.userId ?? '';
      expect((await users.findKey(userId))?.hash).toBe(hash);
      const { stored } = apiKeys.mint();
      await users.replaceKey(userId, stored);
      expect(await users.findKey(userId)).toEqual(stored);
      expect(await users.findKey(ids.next())).toBe(null);
      expect(await users.findKey('nobody')).toBe(null);
    });

    it('knows nobody by the hash of a key that was never given out', async ({ stores }) => {
      expect(await stores.users.findByKeyHash('f'.repeat(64))).toBe(null);
    });

    it('accepts an address once, in any spelling, and otherwise adds no organisation either', async (ports) => {
      const first = await createUser(ports, { email: 'Jo@Example.com', name: null, membership: null });
      expect(first.kind).toBe('created');
      const second = await createOrganisation(ports, { name: 'Other', ownerEmail: 'jo@example.COM' });
      expect(second).toEqual({ kind: 'email-taken' });
    });

    it('allows a user without an organisation', async (ports) => {
      const { users } = ports.stores;
      const created = await createUser(ports, { email: 'jo@example.com', name: 'Jo', membership: null });
      const key = created.kind === 'created' ? created.apiKey : '';
      expect((await users.findByKeyHash(ports.apiKeys.hash(key) ?? ''))?.membership).toBe(null);
    });

    it('refuses a user of an organisation that does not exist', async (ports) => {
      const membership = { orgId: ports.ids.next(), role: 'member' } as const;
      const created = await createUser(ports, { email: 'jo@example.com', name: null, membership });
      expect(created).toEqual({ kind: 'unknown-organisation' });
    });

    it('accepts a refreshed key from that moment on, and the former key no more', async (opened) => {
      const { stores, apiKeys, shop } = opened;
      const { users } = stores;
      const before = await users.findByKeyHash(apiKeys.hash(shop.ownerKey) ?? '');
      const refreshed = await refreshApiKey(opened, before?.userId ?? '');
      const key = refreshed.kind === 'refreshed' ? refreshed.apiKey : '';
      expect(await users.findByKeyHash(apiKeys.hash(shop.ownerKey) ?? '')).toBe(null);
      const hash = apiKeys.hash(key) ?? '';
      expect(await users.findByKeyHash(hash)).toEqual(before && { ...before, key: { ...before.key, hash } });
      expect(await refreshApiKey(opened, 'nobody')).toEqual({ kind: 'unknown-user' });
    });

    it('returns the end of the subscription with the caller', async (opened) => {
      const { stores, apiKeys, shop, clock, ids } = opened;
      const { organisations, users } = stores;
      const end = new Date(clock.now().getTime() + 1000);
      expect(await setSubscription(opened, shop.orgId, end)).toEqual({
        kind: 'set',
        released: 0,
      });
      const caller = await users.findByKeyHash(apiKeys.hash(shop.ownerKey) ?? '');
      expect(caller?.membership?.subscriptionExpiresAt).toEqual(end);
      expect((await organisations.find(shop.orgId))?.subscriptionExpiresAt).toEqual(end);
      await setSubscription(opened, shop.orgId, null);
      expect((await organisations.find(shop.orgId))?.subscriptionExpiresAt).toBe(null);
      const unknown = { kind: 'unknown-organisation' };
      expect(await setSubscription(opened, ids.next(), null)).toEqual(unknown);
      expect(await setSubscription(opened, 'nobody', null)).toEqual(unknown);
    });

    it('finds no organisation by an id that is not a UUID', async ({ stores, ids }) => {
      expect(await stores.organisations.find(ids.next())).toBe(null);
      expect(await stores.organisations.find("'; drop table organisations")).toBe(null);
    });
  });

  describe('connections', () => {
    it('are none for a platform that is not set up, and null for an unknown organisation', async (opened) => {
      const { stores, shop, ids, clock } = opened;
      expect(await stores.connections.list(shop.orgId, 'cart-a', clock.now())).toEqual([]);
      expect(await stores.connections.list(ids.next(), 'cart-a', clock.now())).toBe(null);
      expect(await stores.connections.list('not-an-id', 'cart-a', clock.now())).toBe(null);
    });

    it('keep the replaced secret for 24 hours more', async (opened) => {
      const { stores, shop, clock } = opened;
      const replaced = await setIntegrationSecret(opened, {
        orgId: shop.orgId,
        platform: 'storefront-a',
        name: 'main',
        secret: 'second-secret',
      });
      expect(replaced.kind).toBe('replaced');
      const secrets = async () =>
        (await stores.connections.list(shop.orgId, 'storefront-a', clock.now()))?.flatMap(
          (row) => row.secrets,
        );
      expect(await secrets()).toEqual(['second-secret', 'test-secret']);
      clock.advance(24 * 60 * 60 * 1000 - 1);
      expect(await secrets()).toHaveLength(2);
      clock.advance(1);
      expect(await secrets()).toEqual(['second-secret']);
    });

    it('are as these stores have changed them, also where a cached answer is enough', async (opened) => {
      const { stores, shop, ids, clock } = opened;
      const source = { orgId: shop.orgId, platform: 'storefront-a', name: 'main' } as const;
      const recent = async () => {
        const [connection] =
          (await stores.connections.list(shop.orgId.toUpperCase(), 'storefront-a', clock.now(), 'recent')) ??
          [];
        return { secrets: connection?.secrets, strict: connection?.rules.strict };
      };
      expect(await recent()).toEqual({ secrets: ['test-secret'], strict: false });
      await stores.inTransaction(({ connections }) =>
        setIntegrationSecret({ clock, ids, connections }, { ...source, secret: 'second-secret' }),
      );
      expect((await recent()).secrets).toEqual(['second-secret', 'test-secret']);
      await addIntegrationSecret(opened, { ...source, secret: 'third-secret' });
      await stores.connections.setRules(shop.orgId, 'storefront-a', 'main', { strict: true });
      expect(await recent()).toEqual({
        secrets: ['third-secret', 'second-secret', 'test-secret'],
        strict: true,
      });
      clock.advance(24 * 60 * 60 * 1000);
      expect((await recent()).secrets).toEqual(['third-secret', 'second-secret']);
    });

    it('do not prolong a secret that expires sooner', async (opened) => {
      const { stores, shop, clock } = opened;
      const set = (secret: string) =>
        setIntegrationSecret(opened, { orgId: shop.orgId, platform: 'storefront-a', name: 'main', secret });
      await set('second-secret');
      clock.advance(12 * 60 * 60 * 1000);
      await set('third-secret');
      clock.advance(12 * 60 * 60 * 1000);
      const [connection] = (await stores.connections.list(shop.orgId, 'storefront-a', clock.now())) ?? [];
      expect(connection?.secrets).toEqual(['third-secret', 'second-secret']);
    });

    it('are separate by name and by organisation', async (ports) => {
      const { stores, shop, clock } = ports;
      const other = await openShop(ports, 'Other');
      await setIntegrationSecret(ports, {
        orgId: shop.orgId,
        platform: 'storefront-a',
        name: 'outlet',
        secret: 'outlet-secret',
      });
      const list = await stores.connections.list(shop.orgId, 'storefront-a', clock.now());
      expect((list ?? []).map(({ name, secrets }) => [name, ...secrets])).toEqual([
        ['main', 'test-secret'],
        ['outlet', 'outlet-secret'],
      ]);
      expect(await stores.connections.list(other.orgId, 'storefront-a', clock.now())).toHaveLength(1);
    });

    it('keep their secrets when that of another connection is replaced', async (opened) => {
      const { stores, shop, clock } = opened;
      for (const secret of ['outlet-secret', 'newer-secret']) {
        await setIntegrationSecret(opened, {
          orgId: shop.orgId,
          platform: 'storefront-a',
          name: 'outlet',
          secret,
        });
      }
      clock.advance(24 * 60 * 60 * 1000);
      const list = await stores.connections.list(shop.orgId, 'storefront-a', clock.now());
      expect((list ?? []).map(({ name, secrets }) => [name, ...secrets])).toEqual([
        ['main', 'test-secret'],
        ['outlet', 'newer-secret'],
      ]);
    });

    it('are in the order in which they were added, whatever their names', async (opened) => {
      const { stores, shop, clock } = opened;
      const platform = 'storefront-a';
      for (const name of ['beta', 'alpha']) {
        clock.advance(1);
        await setIntegrationSecret(opened, {
          orgId: shop.orgId,
          platform,
          name,
          secret: `secret-of-${name}`,
        });
      }
      await setIntegrationSecret(opened, { orgId: shop.orgId, platform, name: 'main', secret: 'once-again' });
      const list = (await stores.connections.list(shop.orgId, platform, clock.now())) ?? [];
      expect(list.map(({ name }) => name)).toEqual(['main', 'beta', 'alpha']);
    });

    it('cannot be set up for an organisation that does not exist', async (opened) => {
      const { ids } = opened;
      const set = await setIntegrationSecret(opened, {
        orgId: ids.next(),
        platform: 'storefront-a',
        name: 'main',
        secret: 'some-secret',
      });
      expect(set).toEqual({ kind: 'unknown-organisation' });
    });
  });
}
