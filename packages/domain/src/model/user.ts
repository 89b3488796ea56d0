/** A member of an organisation, for the team page. */
export interface TeamMember {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly createdAt: Date;
}

/** By rights, most first. An admin may do everything that an owner may, except change owners. */
export const ROLES = ['owner', 'admin', 'member'] as const;
/** The role of a user in an organisation. */
export type Role = (typeof ROLES)[number];

/** A user of the dashboard or the API. The normalized address is unique in the whole installation. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  /** A user belongs to at most one organisation. */
  readonly membership: { readonly orgId: string; readonly role: Role } | null;
  readonly createdAt: Date;
}

/** The form in which a key is stored. */
export interface StoredApiKey {
  /** SHA-256 of the key, 64 lower-case hex digits. */
  readonly hash: string;
  /** The encrypted key, so that the dashboard can show it to its user. */
  readonly sealed: string;
}

/** The authenticated user of a request. */
export interface Caller {
  readonly userId: string;
  readonly email: string;
  readonly membership: {
    readonly orgId: string;
    readonly role: Role;
    readonly subscriptionExpiresAt: Date | null;
  } | null;
}
