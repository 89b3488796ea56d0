import {
  type ApiKeyRecord,
  type ApiKeyScopes,
  DEFAULT_KEY_NAME,
  MAX_API_KEYS_PER_USER,
  readScopes,
} from '../model/api-key.ts';
import { type InvalidInput, readName } from '../model/validation.ts';
import type { UserApiKeys, Users } from '../ports/access.ts';
import type { Clock } from '../ports/clock.ts';
import type { ApiKeys } from '../ports/tokens.ts';

interface KeyPorts {
  readonly clock: Clock;
  readonly apiKeys: ApiKeys;
  readonly userKeys: UserApiKeys;
}

/** `apiKey`: the new key in plain text. */
type RefreshApiKeyResult =
  | { readonly kind: 'refreshed'; readonly apiKey: string }
  | { readonly kind: 'unknown-user' };

/** Replaces the default key of a user. The old one is invalid at once in every process; the user's other keys stay. */
export async function refreshApiKey(
  ports: { readonly apiKeys: ApiKeys; readonly users: Users },
  userId: string,
): Promise<RefreshApiKeyResult> {
  const { key, stored } = ports.apiKeys.mint();
  const outcome = await ports.users.replaceKey(userId, stored);
  return outcome === 'replaced' ? { kind: 'refreshed', apiKey: key } : { kind: 'unknown-user' };
}

/** `apiKey`: the new key in plain text. */
type AddApiKeyResult =
  | { readonly kind: 'added'; readonly name: string; readonly apiKey: string }
  | InvalidInput;

/** The lifetimes of keys to choose from, in days, besides none. */
export const KEY_LIFETIMES_DAYS = [7, 30, 90, 365] as const;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Creates another key of a user from a form. `lifetimeDays` empty: it does not expire. */
export async function addApiKey(
  ports: KeyPorts,
  userId: string,
  typed: { readonly name: string; readonly lifetimeDays: string; readonly scopes: readonly string[] | null },
): Promise<AddApiKeyResult> {
  const name = readName('name', typed.name);
  if (name.kind === 'invalid') return name;
  const days = KEY_LIFETIMES_DAYS.find((one) => String(one) === typed.lifetimeDays);
  if (days === undefined && typed.lifetimeDays !== '') {
    return { kind: 'invalid', field: 'lifetime', problem: 'must be one of the choices' };
  }
  const scopes = readChosenScopes(typed.scopes);
  if (scopes !== null && 'kind' in scopes) return scopes;
  const createdAt = ports.clock.now();
  const { key, stored } = ports.apiKeys.mint();
  const record: ApiKeyRecord = {
    name: name.value,
    scopes,
    createdAt,
    expiresAt: days === undefined ? null : new Date(createdAt.getTime() + days * DAY_MS),
    lastUsedAt: null,
    ...stored,
  };
  const outcome = await ports.userKeys.add(userId, record);
  if (outcome === 'added') return { kind: 'added', name: record.name, apiKey: key };
  return { kind: 'invalid', field: 'name', problem: PROBLEMS[outcome] };
}

const PROBLEMS = {
  'name-taken': 'is the name of another key of yours. Choose another name',
  'too-many': `cannot be added: you have ${MAX_API_KEYS_PER_USER} keys. Revoke one first`,
  'unknown-user': 'cannot be added: this user is gone',
} as const;

function readChosenScopes(texts: readonly string[] | null): ApiKeyScopes | InvalidInput {
  if (texts === null) return null;
  const scopes = readScopes(texts);
  if (scopes === null) return { kind: 'invalid', field: 'scopes', problem: 'must be scopes of the API' };
  if (scopes.length > 0) return scopes;
  return { kind: 'invalid', field: 'scopes', problem: 'must allow something: choose at least one area' };
}

/** A key in the list of its user. `hint`: its first and last characters; null if it can no longer be decrypted. */
export interface ListedApiKey extends ApiKeyRecord {
  readonly hint: string | null;
}

/** The API keys of a user, the default key first, then by name. */
export async function listApiKeys(
  { apiKeys, userKeys }: Pick<KeyPorts, 'apiKeys' | 'userKeys'>,
  userId: string,
): Promise<readonly ListedApiKey[]> {
  const records = await userKeys.list(userId);
  return records.map((record) => ({ ...record, hint: hintOf(apiKeys, record) }));
}

/** A key that was encrypted with a lost secret has no hint, but still works, and can be replaced and revoked. */
function hintOf(apiKeys: ApiKeys, key: ApiKeyRecord): string | null {
  try {
    return apiKeys.hint(apiKeys.reveal(key));
  } catch {
    return null;
  }
}

/** A key in plain text, to be shown to its user only; null if the user has no such key. */
export async function showApiKey(
  { apiKeys, userKeys }: Pick<KeyPorts, 'apiKeys' | 'userKeys'>,
  userId: string,
  name: string,
): Promise<string | null> {
  const record = (await userKeys.list(userId)).find((key) => key.name === name);
  return record ? apiKeys.reveal(record) : null;
}

type ReplaceApiKeyResult =
  | { readonly kind: 'replaced'; readonly apiKey: string }
  | { readonly kind: 'unknown-key' };

/** Replaces a key. The old one is invalid at once. The new one has the same name, scopes and lifetime. */
export async function replaceApiKey(
  { apiKeys, userKeys, clock }: KeyPorts,
  userId: string,
  name: string,
): Promise<ReplaceApiKeyResult> {
  const { key, stored } = apiKeys.mint();
  const replaced = await userKeys.replace(userId, name, { stored, at: clock.now() });
  return replaced ? { kind: 'replaced', apiKey: key } : { kind: 'unknown-key' };
}

/** The name of a user's key in the activity log. */
export function nameApiKey(name: string): string {
  return name === DEFAULT_KEY_NAME ? 'API key' : `API key “${name}”`;
}
