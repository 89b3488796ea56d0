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
import { prepare } from '../runner.ts';
import { openShop } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The API keys of a user, beyond the default one. */
export function apiKeysContract(runner: StoresRunner): void {
  const { describe, it, expect } = prepare(runner, open);

  describe('the API keys of a user', () => {
    it('are the default key at first, which may do everything and does not expire', async (prepared) => {
      const { opened, userId } = prepared;
      const keys = await opened.userKeys.list(userId);
      expect(keys).toMatchObject([{ name: 'default', scopes: null, expiresAt: null, lastUsedAt: null }]);
      expect(await showApiKey(opened, userId, 'default')).toBe(opened.shop.ownerKey);
      expect(await opened.userKeys.list(opened.ids.next())).toEqual([]);
      expect(await opened.userKeys.list('nobody')).toEqual([]);
    });

    it('are listed with the default key first, then by name, as they were added', async (prepared) => {
      const { opened, userId, add } = prepared;
      await add('B', { lifetimeDays: '30', scopes: ['reports:read', 'products:write'] });
      await add('a');
      const keys = await listApiKeys(opened, userId);
      expect(keys.map(({ name }) => name)).toEqual(['default', 'B', 'a']);
      const at = opened.clock.now();
      expect(keys[1]).toMatchObject({
        scopes: ['products:write', 'reports:read'],
        createdAt: at,
        expiresAt: new Date(at.getTime() + 30 * DAY_MS),
        lastUsedAt: null,
      });
    });

    it('each identify the user, with what that key may do', async ({ opened, userId, add }) => {
      const added = await add('reader', { scopes: ['products:read'] });
      expect(await identifyCaller(opened, added.apiKey)).toMatchObject({
        kind: 'identified',
        caller: { userId, key: { name: 'reader', scopes: ['products:read'] } },
      });
      expect(await identifyCaller(opened, opened.shop.ownerKey)).toMatchObject({
        caller: { userId, key: { name: 'default', scopes: null } },
      });
    });

    it('have names of their own, also when they are added at once, while users share names', async (prepared) => {
      const { opened, userId, record } = prepared;
      const answers = await Promise.all([1, 2, 3].map(() => opened.userKeys.add(userId, record('same'))));
      expect(answers.sort()).toEqual(['added', 'name-taken', 'name-taken']);
      expect(await opened.userKeys.add(userId, record('default'))).toBe('name-taken');
      const other = await openShop(opened, 'Other');
      const otherId = (await opened.users.findByKeyHash(opened.apiKeys.hash(other.ownerKey) ?? ''))?.userId;
      expect(await opened.userKeys.add(otherId ?? '', record('same'))).toBe('added');
      expect(await opened.userKeys.add(opened.ids.next(), record('x'))).toBe('unknown-user');
      expect(await opened.userKeys.add('nobody', record('x'))).toBe('unknown-user');
    });

    it('are limited in number, however many are added at once', async ({ opened, userId, record }) => {
      const names = Array.from({ length: MAX_API_KEYS_PER_USER + 2 }, (_, index) => `key ${index}`);
      const answers = await Promise.all(names.map((name) => opened.userKeys.add(userId, record(name))));
      expect(answers.filter((answer) => answer === 'too-many')).toHaveLength(3);
      expect(await opened.userKeys.list(userId)).toHaveLength(MAX_API_KEYS_PER_USER);
      await opened.userKeys.revoke(userId, 'default');
      expect(await opened.userKeys.add(userId, record('one more'))).toBe('added');
    });

    it('stop working when they are replaced: the new one lives as long as the former was to live', async (prepared) => {
      const { opened, userId, add } = prepared;
      const { apiKey } = await add('export', { lifetimeDays: '7', scopes: ['products:read'] });
      opened.clock.advance(6 * DAY_MS);
      const replaced = await replaceApiKey(opened, userId, 'export');
      const at = opened.clock.now();
      expect(await identifyCaller(opened, apiKey)).toEqual({ kind: 'unknown' });
      const key = replaced.kind === 'replaced' ? replaced.apiKey : '';
      expect(await identifyCaller(opened, key)).toMatchObject({
        caller: {
          key: { name: 'export', scopes: ['products:read'], expiresAt: new Date(at.getTime() + 7 * DAY_MS) },
        },
      });
      expect((await opened.userKeys.list(userId))[1]?.createdAt).toEqual(at);
      await replaceApiKey(opened, userId, 'default');
      expect((await opened.userKeys.list(userId))[0]).toMatchObject({ expiresAt: null, createdAt: at });
    });

    it('are refused from the moment at which they expire', async ({ opened, add }) => {
      const { apiKey } = await add('export', { lifetimeDays: '7' });
      const expiresAt = new Date(opened.clock.now().getTime() + 7 * DAY_MS);
      opened.clock.advance(7 * DAY_MS - 1);
      expect(await identifyCaller(opened, apiKey)).toMatchObject({ kind: 'identified' });
      opened.clock.advance(1);
      expect(await identifyCaller(opened, apiKey)).toEqual({ kind: 'expired', name: 'export', expiresAt });
    });

    it('stop working when they are revoked, one by one', async ({ opened, userId, add }) => {
      const { apiKey } = await add('export');
      expect(await opened.userKeys.revoke(userId, 'export')).toMatchObject({ name: 'export' });
      expect(await opened.userKeys.revoke(userId, 'export')).toBe(null);
      expect(await identifyCaller(opened, apiKey)).toEqual({ kind: 'unknown' });
      expect(await identifyCaller(opened, opened.shop.ownerKey)).toMatchObject({ kind: 'identified' });
      expect(await opened.userKeys.revoke(userId, 'none')).toBe(null);
    });

    it('are not those of another user', async ({ opened, userId, add }) => {
      const { apiKey } = await add('export');
      const other = await openShop(opened, 'Other');
      const otherId =
        (await opened.users.findByKeyHash(opened.apiKeys.hash(other.ownerKey) ?? ''))?.userId ?? '';
      expect(otherId === userId).toBe(false);
      expect(await opened.userKeys.revoke(otherId, 'export')).toBe(null);
      const replacement = { stored: opened.apiKeys.mint().stored, at: opened.clock.now() };
      expect(await opened.userKeys.replace(otherId, 'export', replacement)).toBe(null);
      expect(await showApiKey(opened, otherId, 'export')).toBe(null);
      expect(await identifyCaller(opened, apiKey)).toMatchObject({ kind: 'identified' });
    });

    it('stay when the default key is refreshed, which is there again if it was revoked', async (prepared) => {
      const { opened, userId, add } = prepared;
      const { apiKey } = await add('export');
      await opened.userKeys.revoke(userId, 'default');
      expect(await opened.users.findKey(userId)).toBe(null);
      const refreshed = await refreshApiKey(opened, userId);
      const key = refreshed.kind === 'refreshed' ? refreshed.apiKey : '';
      expect(await identifyCaller(opened, key)).toMatchObject({
        caller: { key: { name: 'default', scopes: null, expiresAt: null } },
      });
      expect(await identifyCaller(opened, apiKey)).toMatchObject({ kind: 'identified' });
      expect(await opened.userKeys.list(userId)).toHaveLength(2);
    });

    it('say when they were last used, to the minute', async ({ opened, userId, add }) => {
      const { apiKey } = await add('export');
      const hash = opened.apiKeys.hash(apiKey) ?? '';
      const lastUse = async () => (await opened.userKeys.list(userId)).map(({ lastUsedAt }) => lastUsedAt);
      const first = opened.clock.now();
      await opened.userKeys.recordUses([hash, 'f'.repeat(64)], first);
      expect(await lastUse()).toEqual([null, first]);
      opened.clock.advance(KEY_USE_INTERVAL_MS - 1);
      await opened.userKeys.recordUses([hash], opened.clock.now());
      expect(await lastUse()).toEqual([null, first]);
      opened.clock.advance(1);
      await opened.userKeys.recordUses([hash, hash], opened.clock.now());
      expect(await lastUse()).toEqual([null, opened.clock.now()]);
    });
  });
}

async function open(opened: OpenedShop) {
  const { apiKeys, shop, users, clock } = opened;
  const userId = (await users.findByKeyHash(apiKeys.hash(shop.ownerKey) ?? ''))?.userId ?? '';
  const add = async (name: string, typed: { lifetimeDays?: string; scopes?: readonly string[] } = {}) => {
    const added = await addApiKey(opened, userId, { name, lifetimeDays: '', scopes: null, ...typed });
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
  return { opened, userId, add, record };
}
