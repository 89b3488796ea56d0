import type { ActivityEntry, ActivityGroup, ActivityKind, ActivityVia } from '../model/activity.ts';
import type { ApiKeyRecord, KeyHolder } from '../model/api-key.ts';
import type { Organisation } from '../model/organisation.ts';
import type { Passkey, PasskeyChallenge } from '../model/passkey.ts';
import type { OpenSignIn, SeenDevice, SignedIn, SignInRecord, StoredSession } from '../model/sign-in.ts';
import type { TeamRefusal } from '../model/team-change.ts';
import type { Role, StoredApiKey, TeamMember, User } from '../model/user.ts';

/** The organisations, each with its subscription. */
export interface Organisations {
  /** Adds an organisation with its first user, the owner. `email-taken`: that user exists already; nothing is added. */
  add(organisation: Organisation, owner: User, ownerKey: StoredApiKey): Promise<'added' | 'email-taken'>;
  find(orgId: string): Promise<Organisation | null>;
  /** Organisations with exactly this name, ignoring case (`isSameName`): oldest first (by id), at most `limit`. */
  findByName(name: string, limit: number): Promise<readonly Organisation[]>;
  /** Oldest first (by id), those after the one with id `after` if that is given; at most `limit`. */
  list(page: { readonly after: string | null; readonly limit: number }): Promise<readonly Organisation[]>;
  /** Changes only the given members. */
  change(orgId: string, values: OrganisationValues): Promise<OrganisationChange>;
  /**
   * Sets the end of the subscription and moves the catalogue's revision. With `releaseAt` it also stores a release of
   * every delivery that is held for the subscription, due at that time (see `OpenDeliveries.release`), and returns how
   * many were held shortly before. Null: no such organisation.
   */
  setSubscription(orgId: string, expiresAt: Date | null, releaseAt: Date | null): Promise<number | null>;
  /**
   * Sets the currency of orders that name none, and of the purchases that have none yet, atomically. Moves the catalogue's
   * revision, so that an order that is being decided gets it too.
   */
  setDefaultCurrency(orgId: string, currency: string): Promise<OrganisationChange>;
}

/** New values for what an organisation says of itself. */
export type OrganisationValues = Partial<
  Pick<Organisation, 'name' | 'email' | 'alertEmail' | 'language' | 'timeZone'>
>;

/** `unchanged`: it had this value already. Of two equal concurrent changes, one is `changed`. */
export type OrganisationChange = 'changed' | 'unchanged' | 'unknown-organisation';

/** Who may sign in or has a key. */
export interface Users {
  /**
   * Adds a user, and returns the stored user. Not scoped by organisation: an e-mail address (normalized) is one user. If
   * a user of that address exists without an organisation and the new user has a membership, the existing user joins
   * under their own id: this key replaces all former ones, passkeys are removed, and every session and open sign-in ends.
   * An open invitation of the address into that organisation counts as accepted. `email-taken`: nothing is changed.
   */
  add(user: User, key: StoredApiKey): Promise<User | 'email-taken' | 'unknown-organisation'>;
  /** Finds a user by any of their keys, including expired ones. */
  findByKeyHash(hash: string): Promise<KeyHolder | null>;
  /** By id, or by e-mail address, compared as normalized addresses. */
  find(by: { readonly id: string } | { readonly email: string }): Promise<User | null>;
  /** The user's default key as it is stored; null if the user is unknown, or the key was revoked. */
  findKey(userId: string): Promise<StoredApiKey | null>;
  /**
   * Replaces the default key; the old one is invalid from then on. A default key that was revoked exists again, with
   * every scope and without an expiry.
   */
  replaceKey(userId: string, key: StoredApiKey): Promise<'replaced' | 'unknown-user'>;
}

/** All API keys of a user. Not scoped by organisation: they belong to a user, and are found with `Users.findByKeyHash`. */
export interface UserApiKeys {
  /** By name, the default key before all others. Empty for an unknown user. */
  list(userId: string): Promise<readonly ApiKeyRecord[]>;
  /** However many are added concurrently, a user has at most `MAX_API_KEYS_PER_USER`, and one of each name. */
  add(userId: string, key: ApiKeyRecord): Promise<'added' | 'name-taken' | 'too-many' | 'unknown-user'>;
  /**
   * Replaces the key's secret; the old one is invalid from then on. The new one was made at `at`, is unused, and has the
   * lifetime of the old one. Null: the user has no such key.
   */
  replace(
    userId: string,
    name: string,
    replacement: { readonly stored: StoredApiKey; readonly at: Date },
  ): Promise<ApiKeyRecord | null>;
  /** The key is invalid from then on. Returns the revoked key; null: the user has no such key. */
  revoke(userId: string, name: string): Promise<ApiKeyRecord | null>;
  /** Records that the keys with these hashes were used. A time within `KEY_USE_INTERVAL_MS` of the one on record is not written. */
  recordUses(hashes: readonly string[], at: Date): Promise<void>;
}

/** The users of an organisation. */
export interface Team {
  /** Oldest first, at most 500. */
  list(orgId: string): Promise<readonly TeamMember[]>;
  find(orgId: string, userId: string): Promise<TeamMember | null>;
  /**
   * Sets the role of a member, unless `refuseTeamChange` refuses it for the roles that `by` and the member have now. Open
   * invitations by the member are withdrawn if the new role may not send them. If the last two owners step down
   * concurrently, one is refused; likewise if two owners demote each other.
   */
  setRole(
    orgId: string,
    userId: string,
    role: { readonly by: string; readonly from: Role; readonly to: Role },
  ): Promise<'set' | TeamRefusal>;
  /**
   * Removes a member from the organisation, unless it is refused as in `setRole`. Open invitations by and to the member
   * are withdrawn, `key` replaces all of the member's API keys, passkeys are removed, and every session and open sign-in
   * ends.
   */
  remove(
    orgId: string,
    userId: string,
    leaving: { readonly by: string; readonly from: Role; readonly key: StoredApiKey },
  ): Promise<'removed' | TeamRefusal>;
}

/**
 * The activity log of an organisation: what was done, by whom and how. Ports that take an `ActivityEntry` add it here in
 * the transaction of their change. Only `OutgoingEmails.complete` writes an entry that it was not given:
 * `alert-given-up`, for alerts that are refused.
 */
export interface ActivityLog {
  add(orgId: string, entry: ActivityEntry): Promise<void>;
  /** Replaces the summary of the newest entry of this kind and subject, for an entry that counts something. */
  rewriteNewest(orgId: string, entry: Pick<ActivityEntry, 'kind' | 'subjectId' | 'summary'>): Promise<void>;
  /**
   * Newest first (by id); with `before`, only entries older than that id, which need not exist. Without `via`, `actor` or
   * `group`, any value matches. An entry's id is made within a day of its `at`, so a period is also a range of ids.
   */
  list(
    orgId: string,
    query: {
      readonly subjectId: string | null;
      readonly via?: ActivityVia | null;
      /** By this person. */
      readonly actor?: string | null;
      readonly group?: ActivityGroup | null;
      /** `until` itself is excluded. */
      readonly period?: { readonly from: Date | null; readonly until: Date | null };
      readonly before: string | null;
      readonly limit: number;
    },
  ): Promise<readonly ActivityEntry[]>;
  /** Which of these subjects have an entry of the kind at or after `since`. */
  listSubjects(
    orgId: string,
    query: {
      readonly kind: ActivityKind;
      readonly subjectIds: readonly string[];
      readonly since: Date;
    },
  ): Promise<readonly string[]>;
}

/** One-time links into the dashboard. Not scoped by organisation: they belong to a user. */
export interface SignIns {
  /**
   * Adds a sign-in for the user of that address (any spelling), and with `mail` the job that mails its link. The user
   * keeps the newest `MAX_OPEN_SIGN_INS`. `unknown-user`: nothing is added. One that exists is left unchanged, and not mailed
   * again: the answer to its commit may have been lost.
   */
  add(signIn: NewSignIn, notice: 'mail' | 'no-mail'): Promise<'added' | 'unknown-user'>;
  /** Null once it was used, withdrawn or has expired, and for an unknown one. */
  findOpen(signInId: string, now: Date): Promise<OpenSignIn | null>;
  /** In any state. Kept for at least 7 days after it expired; null if it is unknown. */
  find(signInId: string): Promise<SignInRecord | null>;
  /**
   * Uses the sign-in and starts a session of its user, atomically: of two concurrent calls, one is `too-late`. The user
   * keeps the newest `MAX_SESSIONS_PER_USER` sessions, however many start concurrently. `confirmed`: the session with the
   * hash `present` belongs to the same user, so it continues instead, confirmed at the time at which the new one would
   * have started.
   */
  redeem(
    signInId: string,
    session: StoredSession,
    present?: string | null,
  ): Promise<'redeemed' | 'confirmed' | 'too-late'>;
}

/** A sign-in that has been asked for. */
export interface NewSignIn {
  readonly id: string;
  readonly email: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** The page to go back to. */
  readonly returnTo: string | null;
}

/** Sessions at the dashboard. Not scoped by organisation: they belong to a user. */
export interface UserSessions {
  /** The user of the session, with current data; null for a session that is unknown or has ended. */
  find(hash: string, now: Date): Promise<SignedIn | null>;
  /**
   * Starts a session, or confirms the one with the hash `present` if it belongs to the same user, as `SignIns.redeem`
   * does.
   */
  begin(
    userId: string,
    session: StoredSession,
    present: string | null,
  ): Promise<'begun' | 'confirmed' | 'unknown-user'>;
  /** Records a use of the session, and its new expiry. Neither time ever moves backwards. */
  prolong(hash: string, seen: Pick<StoredSession, 'lastSeenAt' | 'expiresAt'>): Promise<void>;
  /** The active sessions of a user, the most recently seen first. */
  list(userId: string, now: Date): Promise<readonly StoredSession[]>;
  /** False: the user had no such session. */
  endOne(userId: string, hash: string): Promise<boolean>;
  /** False: there was no such session. */
  end(hash: string): Promise<boolean>;
  /**
   * Ends all sessions of a user except the one with `keptHash`, and withdraws open sign-ins. Returns the number of ended
   * sessions.
   */
  endAll(userId: string, keptHash: string | null): Promise<number>;
}

/** The passkeys of users, and the challenges that browsers sign with them. Not scoped by organisation: they belong to a user. */
export interface Passkeys {
  /** Oldest first. */
  list(userId: string): Promise<readonly Passkey[]>;
  find(id: string): Promise<Passkey | null>;
  /**
   * However many are added concurrently, a user has at most `MAX_PASSKEYS_PER_USER`. `known`: a user has this passkey
   * already.
   */
  add(passkey: Passkey): Promise<'added' | 'known' | 'too-many' | 'unknown-user'>;
  /** Returns the removed passkey; null: the user has no such passkey. */
  remove(userId: string, id: string): Promise<Passkey | null>;
  /**
   * Records a use, and returns the user's id. Null, with nothing changed: the passkey is unknown, or the counter is not
   * the next one (`isNextUse`). Of two concurrent uses with one counter, one gets null.
   */
  use(id: string, used: { readonly counter: number; readonly at: Date }): Promise<string | null>;
  addChallenge(challenge: PasskeyChallenge): Promise<void>;
  /** Uses the challenge, which must belong to this user. False: it was used, has expired, or belongs to another user. */
  takeChallenge(challenge: string, userId: string | null, now: Date): Promise<boolean>;
}

/** The browsers that users signed in with. Not scoped by organisation: they belong to a user. */
export interface UserDevices {
  /**
   * Records that a user signed in on a device. `new`: the user had other devices before; a mail tells the user, and its
   * job is queued in the same transaction. `first`: the user had none. The user keeps the `MAX_DEVICES_PER_USER` that
   * were seen last. Of two concurrent sign-ins with the same device, one gets `known`.
   */
  see(userId: string, device: SeenDevice): Promise<'known' | 'new' | 'first' | 'unknown-user'>;
}

/** How often something was tried recently. Not scoped by organisation. */
export interface Throttles {
  /**
   * Counts a try of `key` in the window that is open at `at`, or opens a window of this length. Each of many concurrent
   * tries gets a different count. Keys are stored as hashes only, and not for long after their window. `tries`: how many
   * to count, by default 1.
   */
  count(key: string, windowMs: number, at: Date, tries?: number): Promise<CountedTries>;
  /** The tries of `key` in the window that is open at `at`; null if no window is open. */
  find(key: string, at: Date): Promise<CountedTries | null>;
}

/** How often something was tried in a window of time. */
export interface CountedTries {
  /** Including this one. */
  readonly tries: number;
  readonly windowEndsAt: Date;
}
