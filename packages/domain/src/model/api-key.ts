import type { Caller, Role, StoredApiKey } from './user.ts';

/** The parts of the API. Members may use those that `areasFor` gives them. */
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

/** What a request does in an area. The right to write includes the right to read. */
export type ApiRight = 'read' | 'write';
/** A right in an area, such as `products:read`. */
export type ApiScope = `${ApiArea}:${ApiRight}`;

/** What a key may do, within the rights of its user. Null: everything, also in areas that are added later. */
export type ApiKeyScopes = readonly ApiScope[] | null;

const ADMIN_AREAS: ReadonlySet<ApiArea> = new Set(['purchases', 'webhook-log', 'sku-mappings', 'reports']);
const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The scope that a request of this method needs in an area. */
export function scopeOf(method: string, area: ApiArea): ApiScope {
  return `${area}:${READING_METHODS.has(method) ? 'read' : 'write'}`;
}

/** Whether these scopes include the needed one. */
export function hasScope(scopes: ApiKeyScopes, needed: ApiScope): boolean {
  if (scopes === null || scopes.includes(needed)) return true;
  const [area, right] = splitScope(needed);
  return right === 'read' && scopes.includes(`${area}:write`);
}

/** Reads a list of scopes: each once, in the order of the areas. Null: one of them is not a scope. */
export function readScopes(texts: readonly string[]): readonly ApiScope[] | null {
  if (texts.some((text) => !isScope(text))) return null;
  return ALL_SCOPES.filter((scope) => texts.includes(scope));
}

/** The areas that a role may use. Null: a user without an organisation, who may prepare a key for any area. */
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

/** The name of a user's first key, which `user refresh-key` replaces. */
export const DEFAULT_KEY_NAME = 'default';

/** The maximum number of keys of a user. */
export const MAX_API_KEYS_PER_USER = 25;

/** After a recorded use, further uses are not recorded for so long. */
export const KEY_USE_INTERVAL_MS = 60 * 1000;

/** The facts about a key that an authenticated request needs. */
export interface ApiKeyFacts {
  /** SHA-256 of the key, 64 lower-case hex digits. */
  readonly hash: string;
  /** Unique among the keys of a user. */
  readonly name: string;
  readonly scopes: ApiKeyScopes;
  /** Null: it does not expire. */
  readonly expiresAt: Date | null;
  /** To within `KEY_USE_INTERVAL_MS`. Null: never used, or last used before uses were recorded. */
  readonly lastUsedAt: Date | null;
}

/** An API key as it is stored. */
export interface ApiKeyRecord extends ApiKeyFacts, StoredApiKey {
  /** When it was created, or last replaced in the dashboard. Null: a default key from user creation or a command. */
  readonly createdAt: Date | null;
}

/** The user of an API key, with the key. */
export interface KeyHolder extends Caller {
  readonly key: ApiKeyFacts;
}

/** Whether the key has expired. */
export function isExpired({ expiresAt }: Pick<ApiKeyFacts, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** The expiry of a key that is replaced at `at`: it has the lifetime of the old one. */
export function renewExpiry(
  { createdAt, expiresAt }: Pick<ApiKeyRecord, 'createdAt' | 'expiresAt'>,
  at: Date,
): Date | null {
  if (expiresAt === null || createdAt === null) return expiresAt;
  return new Date(at.getTime() + expiresAt.getTime() - createdAt.getTime());
}

/** Whether a use of the key at `now` is recorded: see {@link KEY_USE_INTERVAL_MS}. */
export function isUseDue({ lastUsedAt }: Pick<ApiKeyFacts, 'lastUsedAt'>, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= KEY_USE_INTERVAL_MS;
}
