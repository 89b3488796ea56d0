import type { Caller, Role, StoredApiKey } from './user.ts';

/** The parts of the API. Those that are only for owners and admins are in `ADMIN_AREAS`. */
export const API_AREAS = [
  'products',
  'downloads',
  'purchases',
  'webhook-log',
  'sku-mappings',
  'reports',
] as const;
/** A part of the API to which a key can be limited. */
export type ApiArea = (typeof API_AREAS)[number];

/** What a request does in an area. Who may write may also read. */
export type ApiRight = 'read' | 'write';
/** A right in an area, such as `products:read`. */
export type ApiScope = `${ApiArea}:${ApiRight}`;

/** What a key may do, within what its user may do. Null: everything, also in areas that are added later. */
export type ApiKeyScopes = readonly ApiScope[] | null;

const ADMIN_AREAS: ReadonlySet<ApiArea> = new Set(['purchases', 'webhook-log', 'sku-mappings', 'reports']);
const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The scope that a request of this method needs in an area. */
export function scopeOf(method: string, area: ApiArea): ApiScope {
  return `${area}:${READING_METHODS.has(method) ? 'read' : 'write'}`;
}

/** Whether a key with these scopes may do what needs this one. */
export function hasScope(scopes: ApiKeyScopes, needed: ApiScope): boolean {
  if (scopes === null || scopes.includes(needed)) return true;
  const [area, right] = splitScope(needed);
  return right === 'read' && scopes.includes(`${area}:write`);
}

/** Reads a list of scopes: each once, in the order of the areas. Null: one of them is none of ours. */
export function readScopes(texts: readonly string[]): readonly ApiScope[] | null {
  if (texts.some((text) => !isScope(text))) return null;
  return ALL_SCOPES.filter((scope) => texts.includes(scope));
}

/** The areas that a user of this role can use at all. A user without an organisation may prepare a key for any. */
export function areasFor(role: Role | null): readonly ApiArea[] {
  return role === 'member' ? API_AREAS.filter((area) => !ADMIN_AREAS.has(area)) : API_AREAS;
}

const ALL_SCOPES: readonly ApiScope[] = API_AREAS.flatMap(
  (area) => [`${area}:read`, `${area}:write`] as const,
);

function isScope(text: string): text is ApiScope {
  return ALL_SCOPES.some((scope) => scope === text);
}

function splitScope(scope: ApiScope): readonly [ApiArea, ApiRight] {
  const [area, right] = scope.split(':');
  return [area as ApiArea, right as ApiRight];
}

/** The name of the key that every user has from the start. `user refresh-key` replaces this one. */
export const DEFAULT_KEY_NAME = 'default';

/** A user has at most so many keys. */
export const MAX_API_KEYS_PER_USER = 25;

/** A use within this of the last one that was recorded is not recorded. */
export const KEY_USE_INTERVAL_MS = 60 * 1000;

/** What an authenticated request needs to know about its key. */
export interface ApiKeyFacts {
  /** SHA-256 of the key, 64 lower-case hex digits. */
  readonly hash: string;
  /** Unique among the keys of a user. */
  readonly name: string;
  readonly scopes: ApiKeyScopes;
  /** Null: it does not expire. */
  readonly expiresAt: Date | null;
  /** To the minute. Null: never used, or not since this is recorded. */
  readonly lastUsedAt: Date | null;
}

/** An API key as it is kept. */
export interface ApiKeyRecord extends ApiKeyFacts, StoredApiKey {
  /** When it was made, or last replaced on the page. Null: the default key as it was made with its user or by command. */
  readonly createdAt: Date | null;
}

/** The user of an API key, with the key. */
export interface KeyHolder extends Caller {
  readonly key: ApiKeyFacts;
}

/** Whether the key has an end, and it has come. */
export function isExpired({ expiresAt }: Pick<ApiKeyFacts, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** The end of a key that is replaced at that time: it lives for as long as the one before was to live. */
export function renewExpiry(
  { createdAt, expiresAt }: Pick<ApiKeyRecord, 'createdAt' | 'expiresAt'>,
  at: Date,
): Date | null {
  if (expiresAt === null || createdAt === null) return expiresAt;
  return new Date(at.getTime() + expiresAt.getTime() - createdAt.getTime());
}

/** Whether a use of the key is worth recording. */
export function isUseDue({ lastUsedAt }: Pick<ApiKeyFacts, 'lastUsedAt'>, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= KEY_USE_INTERVAL_MS;
}
