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
  /** Those of this name, whole, in capitals or not (`isSameName`): oldest first (by id), at most `limit`. */
  findByName(name: string, limit: number): Promise<readonly Organisation[]>;
  /** Oldest first (by id), those after the one with id `after` if that is given; at most `limit`. */
  list(page: { readonly after: string | null; readonly limit: number }): Promise<readonly Organisation[]>;
  /** Changes just the members that are given. */
  change(orgId: string, values: OrganisationValues): Promise<OrganisationChange>;
  /**
   * Sets the end of the subscription and moves the catalogue's revision. With `releaseAt` it also writes down the release of
   * every delivery that is held for the subscription, due then (see `OpenDeliveries.release`), and answers with the number
   * of those that were held shortly before. Null: no such organisation.
   */
  setSubscription(orgId: string, expiresAt: Date | null, releaseAt: Date | null): Promise<number | null>;
  /** Sets the currency of orders that name none, and gives it to the purchases that have none yet, as one. */
  setDefaultCurrency(orgId: string, currency: string): Promise<OrganisationChange>;
}

/** New values for what an organisation says of itself. */
export type OrganisationValues = Partial<
  Pick<Organisation, 'name' | 'email' | 'alertEmail' | 'language' | 'timeZone'>
>;

/** `unchanged`: it was so already. Of two equal changes at once, one is `changed`. */
export type OrganisationChange = 'changed' | 'unchanged' | 'unknown-organisation';

/** Who may sign in or has a key. */
export interface Users {
  /**
   * Adds a user, and answers with the user as on record. Global by nature: an e-mail address (normalized) is one user. With a
   * membership, a user of that address who belongs to no organisation joins under their own id: with this key in the
   * place of all former ones, without passkeys, and with every session and open sign-in ended. An open invitation of the address into that
   * organisation counts as accepted. `email-taken`: nothing is changed.
   */
  add(user: User, key: StoredApiKey): Promise<User | 'email-taken' | 'unknown-organisation'>;
  /** By any key of a user, also an expired one. */
  findByKeyHash(hash: string): Promise<KeyHolder | null>;
  /** By id, or by e-mail address in whatever spelling. */
  find(by: { readonly id: string } | { readonly email: string }): Promise<User | null>;
  /** The user's default key as it is kept; null when there is no such user, or it was revoked. */
  findKey(userId: string): Promise<StoredApiKey | null>;
  /**
   * Puts the new key in the place of the default one, which is unknown from then on. A default key that was revoked is
   * there again, with every scope and without an end.
   */
  replaceKey(userId: string, key: StoredApiKey): Promise<'replaced' | 'unknown-user'>;
}

/** All API keys of a user. Global by nature: they belong to a user, and are found with `Users.findByKeyHash`. */
export interface UserApiKeys {
  /** By name, the default key before all others. Empty for an unknown user. */
  list(userId: string): Promise<readonly ApiKeyRecord[]>;
  /** Of many at once, no more than `MAX_API_KEYS_PER_USER` are added, and one of each name. */
  add(userId: string, key: ApiKeyRecord): Promise<'added' | 'name-taken' | 'too-many' | 'unknown-user'>;
  /**
   * Puts the new text in the place of the old one, which is unknown from then on. It was made at `at`, has not been used,
   * and lives for as long as the one before was to live. Null: the user has no such key.
   */
  replace(
    userId: string,
    name: string,
    replacement: { readonly stored: StoredApiKey; readonly at: Date },
  ): Promise<ApiKeyRecord | null>;
  /** The key is unknown from then on. Answers with what it was; null: the user has no such key. */
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
   * Sets the role of a member, unless it is refused (`refuseTeamChange`) by the roles that `by` and the member have now. Open
   * invitations by the member that the new role may not give are withdrawn. Of the last two owners who step down at
   * once, one is too late, and so is one of two who demote each other.
   */
  setRole(
    orgId: string,
    userId: string,
    role: { readonly by: string; readonly from: Role; readonly to: Role },
  ): Promise<'set' | TeamRefusal>;
  /**
   * Takes a member out of the organisation, unless it is refused as for `setRole`, with all open invitations by and to the
   * member: `key` takes the place of all the member's API keys, passkeys are removed, and every session and open sign-in ends.
   */
  remove(
    orgId: string,
    userId: string,
    leaving: { readonly by: string; readonly from: Role; readonly key: StoredApiKey },
  ): Promise<'removed' | TeamRefusal>;
}

/**
 * What was done, by whom and how, in an organisation. Ports that take an `ActivityEntry` add it here with what they change, as
 * one. Only `OutgoingEmails.complete` writes an entry that nobody gave it: alerts that are refused, as `alert-given-up`.
 */
export interface ActivityLog {
  add(orgId: string, entry: ActivityEntry): Promise<void>;
  /** Gives the newest entry of this kind and subject another summary: for an entry that counts. */
  rewriteNewest(orgId: string, entry: Pick<ActivityEntry, 'kind' | 'subjectId' | 'summary'>): Promise<void>;
  /**
   * Newest first (by id), older than the one with id `before` if that is given, whether that entry is there or not. No `via`
   * means any, and so does no `actor` or `group`. An entry's id is made within a day of its `at`, so that a period is a
   * range of ids, too.
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
  /** Which of these subjects have an entry of the kind from that time on. */
  listSubjects(
    orgId: string,
    query: {
      readonly kind: ActivityKind;
      readonly subjectIds: readonly string[];
      readonly since: Date;
    },
  ): Promise<readonly string[]>;
}

/** One-time links into the dashboard. Global by nature: they belong to a user. */
export interface SignIns {
  /**
   * Adds a sign-in for the user of that address, in whatever spelling, with the job that mails its link if it is to be
   * mailed. The user keeps the newest `MAX_OPEN_SIGN_INS`. `unknown-user`: nothing is added.
   */
  add(signIn: NewSignIn, notice: 'mail' | 'no-mail'): Promise<'added' | 'unknown-user'>;
  /** Null once it was used, withdrawn or has expired, and for an unknown one. */
  findOpen(signInId: string, now: Date): Promise<OpenSignIn | null>;
  /** Whatever became of it. Kept for 7 days at least after it expired; null when it is unknown. */
  find(signInId: string): Promise<SignInRecord | null>;
  /**
   * Uses it up and begins the session of its user, as one: of two at once, one is too late. The user keeps the newest
   * `MAX_SESSIONS_PER_USER` sessions, however many begin at once. `confirmed`: the session with the hash `present` is one
   * of the same user, so that it goes on, confirmed at the time at which the other would have begun.
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

/** Sessions at the dashboard. Global by nature: they belong to a user. */
export interface UserSessions {
  /** Who holds the session, as that user is now; null for one that is unknown or over. */
  find(hash: string, now: Date): Promise<SignedIn | null>;
  /** Begins a session, or confirms the one with the hash `present` if it is of the same user, as `SignIns.redeem` does. */
  begin(
    userId: string,
    session: StoredSession,
    present: string | null,
  ): Promise<'begun' | 'confirmed' | 'unknown-user'>;
  /** Records a use of the session, and its new end. Neither time is ever set back. */
  prolong(hash: string, seen: Pick<StoredSession, 'lastSeenAt' | 'expiresAt'>): Promise<void>;
  /** The sessions of a user that are not over, the one seen last first. */
  list(userId: string, now: Date): Promise<readonly StoredSession[]>;
  /** False: the user had no such session. */
  endOne(userId: string, hash: string): Promise<boolean>;
  /** False: there was no such session. */
  end(hash: string): Promise<boolean>;
  /** Ends all sessions of a user but the one that is kept, and withdraws the sign-ins that are still open. Answers with their number. */
  endAll(userId: string, keptHash: string | null): Promise<number>;
}

/** The passkeys of users, and what browsers are to sign with them. Global by nature: they belong to a user. */
export interface Passkeys {
  /** Oldest first. */
  list(userId: string): Promise<readonly Passkey[]>;
  find(id: string): Promise<Passkey | null>;
  /** Of many at once, no more than `MAX_PASSKEYS_PER_USER` are added. `known`: somebody has this one. */
  add(passkey: Passkey): Promise<'added' | 'known' | 'too-many' | 'unknown-user'>;
  /** Answers with what it was; null: the user has no such passkey. */
  remove(userId: string, id: string): Promise<Passkey | null>;
  /**
   * Records a use, and answers with the user. Null, with nothing changed: there is no such passkey, or the counter is not
   * the next one (`isNextUse`). Of two uses with one counter at once, one gets null.
   */
  use(id: string, used: { readonly counter: number; readonly at: Date }): Promise<string | null>;
  addChallenge(challenge: PasskeyChallenge): Promise<void>;
  /** Uses up the challenge, which must be of this user. False: it was used, has expired, or is another user's. */
  takeChallenge(challenge: string, userId: string | null, now: Date): Promise<boolean>;
}

/** The browsers that users signed in with. Global by nature: they belong to a user. */
export interface UserDevices {
  /**
   * Records that a user signed in on a device. `new`: the user had others before, and is told by a mail, whose job is queued
   * with it. `first`: the user had none. The user keeps the `MAX_DEVICES_PER_USER` that were seen last. Of two sign-ins
   * with the same device at once, one finds it known.
   */
  see(userId: string, device: SeenDevice): Promise<'known' | 'new' | 'first' | 'unknown-user'>;
}

/** How often something was tried lately. Global by nature. */
export interface Throttles {
  /**
   * Counts a try of `key` in the window that is open at `at`, or opens one of this length. However many are counted at
   * once, each gets a number of its own. Keys are kept as hashes only, and not for long after their window. `tries`:
   * how many they are, 1 if it is not given.
   */
  count(key: string, windowMs: number, at: Date, tries?: number): Promise<CountedTries>;
  /** What was counted of `key` in the window that is open at `at`; null when none is. */
  find(key: string, at: Date): Promise<CountedTries | null>;
}

/** How often something was tried in a window of time. */
export interface CountedTries {
  /** This one counted. */
  readonly tries: number;
  readonly windowEndsAt: Date;
}
