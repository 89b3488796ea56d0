import type { Connection, ConnectionFacts, ConnectionRules, Destination } from '../model/connection.ts';
import type { Platform } from '../model/platform.ts';

/** The shops and accounts that orders come from, with the secrets that they sign with. */
export interface Connections {
  /**
   * Oldest connection first, newest secret first; the order decides when two connections share a secret. Null: no such
   * organisation. Empty: it has not set up the platform. Secrets past their time are left out.
   *
   * `recent`: a result cached for up to two seconds is enough. It may lack changes by other processes, but not those by
   * these stores. Before it refuses anything because of such a result, a caller must ask for the newest one.
   */
  list(
    orgId: string,
    platform: Platform,
    now: Date,
    seen?: 'newest' | 'recent',
  ): Promise<readonly Connection[] | null>;
  /** All connections of an organisation, oldest first, without their secrets, in one statement. */
  listFacts(orgId: string, now: Date): Promise<readonly ConnectionFacts[]>;
  /**
   * Makes `secret` the only lasting secret of the named connection, and creates the connection (under `connectionId`) if
   * it does not exist. Former secrets end at `formerUntil`, or earlier if they were to.
   */
  replaceSecret(
    change: SecretChange & { readonly formerUntil: Date },
  ): Promise<'created' | 'replaced' | 'unknown-organisation'>;
  /**
   * Adds a lasting secret to those of the named connection, and creates the connection in the same way. `known`: it has
   * this secret already, without an expiry, and nothing changed.
   */
  addSecret(change: SecretChange): Promise<'created' | 'added' | 'known' | 'unknown-organisation'>;
  /**
   * Changes only the given rules. Returns all rules, and whether any value changed; if so, moves the catalogue's revision, so that
   * an order that is being decided follows them. Null: no connection has this name.
   */
  setRules(
    orgId: string,
    platform: Platform,
    name: string,
    change: Partial<ConnectionRules>,
  ): Promise<{ readonly rules: ConnectionRules; readonly isChanged: boolean } | null>;
  /**
   * The named connection, for a platform whose connections have no secrets of their own. It is added (under
   * `connectionId`) if it does not exist; concurrent callers get the same connection. Null: no such organisation.
   */
  findOrAdd(wanted: WantedConnection): Promise<Destination | null>;
}

/** A connection by its name. `connectionId`: the id of the connection if it has to be added. */
export interface WantedConnection {
  readonly orgId: string;
  readonly platform: Platform;
  readonly name: string;
  readonly connectionId: string;
  readonly now: Date;
}

/** A secret that the named connection gets. */
export interface SecretChange extends WantedConnection {
  readonly secretId: string;
  readonly secret: string;
}

/** A signing secret of the shared platform. */
export interface SharedSecret {
  readonly secret: string;
  readonly setAt: Date;
  /** Null: it lasts until it is replaced. */
  readonly expiresAt: Date | null;
}

/** The signing secrets of the shared platform that the installation's owner set at the dashboard. Not scoped by organisation. */
export interface SharedSecrets {
  /**
   * Newest first, without expired ones. `recent`: a result cached for up to two seconds is enough, as in
   * `Connections.list`.
   */
  list(now: Date, seen?: 'newest' | 'recent'): Promise<readonly SharedSecret[]>;
  /**
   * Makes `secret` the lasting one. Former secrets end at `formerUntil`, or earlier if they were to. `known`: it is the
   * lasting one already, and nothing changed. Of two concurrent calls, the later one wins.
   */
  replace(change: {
    readonly id: string;
    readonly secret: string;
    readonly now: Date;
    readonly formerUntil: Date;
  }): Promise<'set' | 'replaced' | 'known'>;
}

/** An account of the shared platform, and the organisation that it belongs to. */
export interface MappedAccount {
  readonly account: string;
  readonly orgId: string;
  readonly organisation: string;
}

/**
 * Maps accounts of the shared platform to organisations, as the operator of the service decided. Not scoped by
 * organisation.
 */
export interface PaymentAccounts {
  /**
   * Maps an account, and adds the organisation's connection of that name (under `connectionId`) if it does not exist. An
   * account belongs to one organisation: of two concurrent calls, one gets it, and the other changes nothing.
   */
  map(mapping: {
    readonly account: string;
    readonly orgId: string;
    readonly connectionId: string;
    readonly now: Date;
  }): Promise<
    | { readonly kind: 'mapped' | 'already-yours' | 'unknown-organisation' }
    | { readonly kind: 'taken'; readonly orgId: string }
  >;
  find(account: string): Promise<Destination | null>;
  /** By account, those after `after` if that is given; at most `limit`. */
  list(page: { readonly after: string | null; readonly limit: number }): Promise<readonly MappedAccount[]>;
  /**
   * Removes the mapping of an account, and returns its former destination; null if it was not mapped. The connection of
   * its name stays, with everything that it received, and is used again if the account is mapped to the same organisation
   * again. With `orgId`, the account of another organisation stays mapped, and counts as not mapped.
   */
  unmap(account: string, orgId?: string): Promise<Destination | null>;
}
