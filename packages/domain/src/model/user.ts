/** Somebody of an organisation, as the team page lists him. */
export interface TeamMember {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly createdAt: Date;
}

/** Most rights first. An admin may do all that an owner may, but for changing owners. */
export const ROLES = ['owner', 'admin', 'member'] as const;
/** What a member of an organisation may do. */
export type Role = (typeof ROLES)[number];

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
