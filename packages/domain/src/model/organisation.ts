/** Most rights first. An admin may do all that an owner may, but for changing owners. */
export const ROLES = ['owner', 'admin', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** Whoever sells: the tenant. Everything but users and what runs the service belongs to one. */
export interface Organisation {
  readonly id: string;
  readonly name: string;
  /** Where buyers' replies go. */
  readonly email: string;
  /** Where alerts go. Null: to the owners. */
  readonly alertEmail: string | null;
  /** The currency of orders that name none; null until it is chosen. */
  readonly defaultCurrency: string | null;
  /** Null: never expires. */
  readonly subscriptionExpiresAt: Date | null;
  readonly createdAt: Date;
}

/** Somebody who signs in or has an API key. The address, normalized, is unique in the whole installation. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  /** A user belongs to at most one organisation. */
  readonly membership: { readonly orgId: string; readonly role: Role } | null;
  readonly createdAt: Date;
}

/** A key as it is kept: never the key itself. */
export interface StoredApiKey {
  /** SHA-256 of the key, 64 lower-case hex digits. */
  readonly hash: string;
  /** The key, encrypted, so that the dashboard can show it to its user. */
  readonly sealed: string;
}

/** Who is asking. */
export interface Caller {
  readonly userId: string;
  readonly email: string;
  readonly membership: {
    readonly orgId: string;
    readonly role: Role;
    readonly subscriptionExpiresAt: Date | null;
  } | null;
}
