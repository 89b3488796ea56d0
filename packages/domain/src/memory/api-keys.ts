import {
  type ApiKeyRecord,
  DEFAULT_KEY_NAME,
  isUseDue,
  MAX_API_KEYS_PER_USER,
  renewExpiry,
} from '../model/api-key.ts';
import type { StoredApiKey } from '../model/user.ts';
import type { UserApiKeys } from '../ports/access.ts';
import { type Memory, rowsWhere } from './memory.ts';

export function createInMemoryUserApiKeys(memory: Memory): UserApiKeys {
  const { keys, users } = memory;
  return {
    list: async (userId) =>
      keysOf(memory, userId).sort(
        (a, b) => Number(isDefault(b)) - Number(isDefault(a)) || (a.name < b.name ? -1 : 1),
      ),
    add: async (userId, key) => {
      if (!users.has(userId)) return 'unknown-user';
      if (findKey(memory, userId, key.name)) return 'name-taken';
      if (keysOf(memory, userId).length >= MAX_API_KEYS_PER_USER) return 'too-many';
      keys.set(key.hash, { ...key, userId });
      return 'added';
    },
    replace: async (userId, name, { stored, at }) => {
      const former = findKey(memory, userId, name);
      if (!former) return null;
      const times = { createdAt: at, lastUsedAt: null, expiresAt: renewExpiry(former, at) };
      const replaced = { ...former, ...stored, ...times };
      keys.delete(former.hash);
      keys.set(replaced.hash, { ...replaced, userId });
      return replaced;
    },
    revoke: async (userId, name) => {
      const key = findKey(memory, userId, name);
      if (key) keys.delete(key.hash);
      return key ?? null;
    },
    recordUses: async (hashes, at) => {
      for (const hash of hashes) {
        const row = keys.get(hash);
        if (row && isUseDue(row, at)) keys.set(hash, { ...row, lastUsedAt: at });
      }
    },
  };
}

/** Makes this the only key of a user, and removes their passkeys. */
export function resetKeys(memory: Memory, userId: string, stored: StoredApiKey): void {
  for (const { hash } of keysOf(memory, userId)) memory.keys.delete(hash);
  for (const passkey of memory.passkeys.values())
    if (passkey.userId === userId) memory.passkeys.delete(passkey.id);
  putDefaultKey(memory, userId, stored);
}

/** Adds or replaces the default key of a user. */
export function putDefaultKey(memory: Memory, userId: string, stored: StoredApiKey): void {
  const former = findDefaultKey(memory, userId);
  if (former) memory.keys.delete(former.hash);
  const lasting = { scopes: null, createdAt: null, expiresAt: null, lastUsedAt: null };
  memory.keys.set(stored.hash, { ...stored, userId, name: DEFAULT_KEY_NAME, ...lasting });
}

export function findDefaultKey(memory: Memory, userId: string): ApiKeyRecord | undefined {
  return findKey(memory, userId, DEFAULT_KEY_NAME);
}

function findKey(memory: Memory, userId: string, name: string): ApiKeyRecord | undefined {
  return keysOf(memory, userId).find((key) => key.name === name);
}

function isDefault({ name }: ApiKeyRecord): boolean {
  return name === DEFAULT_KEY_NAME;
}

function keysOf({ keys }: Memory, userId: string): ApiKeyRecord[] {
  return rowsWhere(keys, { userId }).map(({ userId: _, ...key }) => key);
}
