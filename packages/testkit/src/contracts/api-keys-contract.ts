import {
  type ApiKeyRecord,
  addApiKey,
  identifyCaller,
  KEY_USE_INTERVAL_MS,
  listApiKeys,
  MAX_API_KEYS_PER_USER,
  refreshApiKey,
  replaceApiKey,
  showApiKey,
} from '@handover/domain';
import type { TestRunner } from '../runner.ts';
import { openShop } from '../samples.ts';
import { type CreateStores, openFreshShop } from './harness.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The API keys of a user, beyond the default one. */
export function apiKeysContract({ describe, it, expect }: TestRunner, createStores: CreateStores): void {
  describe('the API keys of a user', () => {
    it('are the default key at first, which may do everything and does not expire', async () => {
      const { ports, userId } = await open(createStores);
      const keys = await ports.userKeys.list(userId);
      expect(keys).toMatchObject([{ name: 'default', scopes: null, expiresAt: null, lastUsedAt: null }]);
      expect(await showApiKey(ports, userId, 'default')).toBe(ports.shop.ownerKey);
      expect(await ports.userKeys.list(ports.ids.next())).toEqual([]);
      expect(await ports.userKeys.list('nobody')).toEqual([]);
    });

    it('are listed with the default key first, then by name, as they were added', async () => {
      const { ports, userId, add } = await open(createStores);
      await add('B', { lifetimeDays: '30', scopes: ['reports:read', 'products:write'] });
      await add('a');
      const keys = await listApiKeys(ports, userId);
      expect(keys.map(({ name }) => name)).toEqual(['default', 'B', 'a']);
      const at = ports.clock.now();
      expect(keys[1]).toMatchObject({
        scopes: ['products:write', 'reports:read'],
        createdAt: at,
        expiresAt: new Date(at.getTime() + 30 * DAY_MS),
        lastUsedAt: null,
      });
    });

    it('each identify the user, with what that key may do', async () => {
      const { ports, userId, add } = await open(createStores);
      const added = await add('reader', { scopes: ['products:read'] });
      expect(await identifyCaller(ports, added.apiKey)).toMatchObject({
        kind: 'identified',
        caller: { userId, key: { name: 'reader', scopes: ['products:read'] } },
      });
      expect(await identifyCaller(ports, ports.shop.ownerKey)).toMatchObject({
        caller: { userId, key: { name: 'default', scopes: null } },
      });
    });

    it('have names of their own, also when they are added at once, while users share names', async () => {
      const { ports, userId, record } = await open(createStores);
      const answers = await Promise.all([1, 2, 3].map(() => ports.userKeys.add(userId, record('same'))));
      expect(answers.sort()).toEqual(['added', 'name-taken', 'name-taken']);
      expect(await ports.userKeys.add(userId, record('default'))).toBe('name-taken');
      const other = await openShop(ports, 'Other');
      const otherId = (await ports.users.findByKeyHash(ports.apiKeys.hash(other.ownerKey) ?? ''))?.userId;
      expect(await ports.userKeys.add(otherId ?? '', record('same'))).toBe('added');
      expect(await ports.userKeys.add(ports.ids.next(), record('x'))).toBe('unknown-user');
      expect(await ports.userKeys.add('nobody', record('x'))).toBe('unknown-user');
    });

    it('are limited in number, however many are added at once', async () => {
      const { ports, userId, record } = await open(createStores);
      const names = Array.from({ length: MAX_API_KEYS_PER_USER + 2 }, (_, index) => `key ${index}`);
      const answers = await Promise.all(names.map((name) => ports.userKeys.add(userId, record(name))));
      expect(answers.filter((answer) => answer === 'too-many')).toHaveLength(3);
      expect(await ports.userKeys.list(userId)).toHaveLength(MAX_API_KEYS_PER_USER);
      await ports.userKeys.revoke(userId, 'default');
      expect(await ports.userKeys.add(userId, record('one more'))).toBe('added');
    });

    it('stop working when they are replaced: the new one lives as long as the former was to live', async () => {
      const { ports, userId, add } = await open(createStores);
      const { apiKey } = await add('export', { lifetimeDays: '7', scopes: ['products:read'] });
      ports.clock.advance(6 * DAY_MS);
      const replaced = await replaceApiKey(ports, userId, 'export');
      const at = ports.clock.now();
      expect(await identifyCaller(ports, apiKey)).toEqual({ kind: 'unknown' });
      const key = replaced.kind === 'replaced' ? replaced.apiKey : '';
      expect(await identifyCaller(ports, key)).toMatchObject({
        caller: {
          key: { name: 'export', scopes: ['products:read'], expiresAt: new Date(at.getTime() + 7 * DAY_MS) },
        },
      });
      expect((await ports.userKeys.list(userId))[1]?.createdAt).toEqual(at);
      await replaceApiKey(ports, userId, 'default');
      expect((await ports.userKeys.list(userId))[0]).toMatchObject({ expiresAt: null, createdAt: at });
    });

    it('are refused from the moment at which they expire', async () => {
      const { ports, add } = await open(createStores);
      const { apiKey } = await add('export', { lifetimeDays: '7' });
      const expiresAt = new Date(ports.clock.now().getTime() + 7 * DAY_MS);
      ports.clock.advance(7 * DAY_MS - 1);
      expect(await identifyCaller(ports, apiKey)).toMatchObject({ kind: 'identified' });
      ports.clock.advance(1);
      expect(await identifyCaller(ports, apiKey)).toEqual({ kind: 'expired', name: 'export', expiresAt });
    });

    it('stop working when they are revoked, one by one', async () => {
      const { ports, userId, add } = await open(createStores);
      const { apiKey } = await add('export');
      expect(await ports.userKeys.revoke(userId, 'export')).toMatchObject({ name: 'export' });
      expect(await ports.userKeys.revoke(userId, 'export')).toBe(null);
      expect(await identifyCaller(ports, apiKey)).toEqual({ kind: 'unknown' });
      expect(await identifyCaller(ports, ports.shop.ownerKey)).toMatchObject({ kind: 'identified' });
      expect(await ports.userKeys.revoke(userId, 'none')).toBe(null);
    });

    it('are not those of another user', async () => {
      const { ports, userId, add } = await open(createStores);
      const { apiKey } = await add('export');
      const other = await openShop(ports, 'Other');
      const otherId =
        (await ports.users.findByKeyHash(ports.apiKeys.hash(other.ownerKey) ?? ''))?.userId ?? '';
      expect(otherId === userId).toBe(false);
      expect(await ports.userKeys.revoke(otherId, 'export')).toBe(null);
      const replacement = { stored: ports.apiKeys.mint().stored, at: ports.clock.now() };
      expect(await ports.userKeys.replace(otherId, 'export', replacement)).toBe(null);
      expect(await showApiKey(ports, otherId, 'export')).toBe(null);
      expect(await identifyCaller(ports, apiKey)).toMatchObject({ kind: 'identified' });
    });

    it('stay when the default key is refreshed, which is there again if it was revoked', async () => {
      const { ports, userId, add } = await open(createStores);
      const { apiKey } = await add('export');
      await ports.userKeys.revoke(userId, 'default');
      expect(await ports.users.findKey(userId)).toBe(null);
      const refreshed = await refreshApiKey(ports, userId);
      const key = refreshed.kind === 'refreshed' ? refreshed.apiKey : '';
      expect(await identifyCaller(ports, key)).toMatchObject({
        caller: { key: { name: 'default', scopes: null, expiresAt: null } },
      });
      expect(await identifyCaller(ports, apiKey)).toMatchObject({ kind: 'identified' });
      expect(await ports.userKeys.list(userId)).toHaveLength(2);
    });

    it('say when they were last used, to the minute', async () => {
      const { ports, userId, add } = await open(createStores);
      const { apiKey } = await add('export');
      const hash = ports.apiKeys.hash(apiKey) ?? '';
      const lastUse = async () => (await ports.userKeys.list(userId)).map(({ lastUsedAt }) => lastUsedAt);
      const first = ports.clock.now();
      await ports.userKeys.recordUses([hash, 'f'.repeat(64)], first);
      expect(await lastUse()).toEqual([null, first]);
      ports.clock.advance(KEY_USE_INTERVAL_MS - 1);
      await ports.userKeys.recordUses([hash], ports.clock.now());
      expect(await lastUse()).toEqual([null, first]);
      ports.clock.advance(1);
      await ports.userKeys.recordUses([hash, hash], ports.clock.now());
      expect(await lastUse()).toEqual([null, ports.clock.now()]);
    });
  });
}

async function open(createStores: CreateStores) {
  const opened = await openFreshShop(createStores);
  const ports = { ...opened, ...opened.stores };
  const { apiKeys, shop, users, clock } = ports;
  const userId = (await users.findByKeyHash(apiKeys.hash(shop.ownerKey) ?? ''))?.userId ?? '';
  const add = async (name: string, typed: { lifetimeDays?: string; scopes?: readonly string[] } = {}) => {
    const added = await addApiKey(ports, userId, { name, lifetimeDays: '', scopes: null, ...typed });
    if (added.kind !== 'added') throw new Error(added.problem);
    return added;
  };
  const record = (name: string): ApiKeyRecord => ({
    name,
    scopes: null,
    createdAt: clock.now(),
    expiresAt: null,
    lastUsedAt: null,
    ...apiKeys.mint().stored,
  });
  return { ports, userId, add, record };
}
