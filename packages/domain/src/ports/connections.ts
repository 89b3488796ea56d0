import type { Connection, ConnectionFacts, ConnectionRules, Destination } from '../model/connection.ts';
import type { Platform } from '../model/platform.ts';

/** The shops and accounts that orders come from, with the secrets that they sign with. */
export interface Connections {
  /**
   * Oldest connection first, newest secret first; the order decides when two connections share a secret. Null: no such
   * organisation. Empty: it has not set up the platform. Secrets past their time are left out.
   *
   * `recent`: an answer of the last two seconds will do, in which what others changed meanwhile may be missing; what these
   * stores changed is not. A caller that would refuse something by it asks for the newest first.
   */
  list(
    orgId: string,
    platform: Platform,
    now: Date,
    seen?: 'newest' | 'recent',
  ): Promise<readonly Connection[] | null>;
  /** All connections of an organisation, oldest first, with what people may know of them, in one statement. */
  listFacts(orgId: string, now: Date): Promise<readonly ConnectionFacts[]>;
  /**
   * Makes `secret` the one secret of the named connection, creating the connection (under `connectionId`) when there
   * is none of that name. Secrets it had before stop at `formerUntil`, or sooner where they were to.
   */
  replaceSecret(
    change: SecretChange & { readonly formerUntil: Date },
  ): Promise<'created' | 'replaced' | 'unknown-organisation'>;
  /**
   * Adds a lasting secret to those of the named connection, creating it in the same way. `known`: it has that very one,
   * without an end, and nothing changed.
   */
  addSecret(change: SecretChange): Promise<'created' | 'added' | 'known' | 'unknown-organisation'>;
  /**
   * Changes just the rules that are given, and answers with all of them, and whether any was another before. Null: no connection
   * has this name.
   */
  setRules(
    orgId: string,
    platform: Platform,
    name: string,
    change: Partial<ConnectionRules>,
  ): Promise<{ readonly rules: ConnectionRules; readonly isChanged: boolean } | null>;
  /**
   * The named connection, for a platform whose connections have no secrets of their own. It is added (under
   * `connectionId`) when there is none of that name; of several who need it first at once, all get the same. Null: no
   * such organisation.
   */
  findOrAdd(wanted: WantedConnection): Promise<Destination | null>;
}

/** A connection by its name. `connectionId`: what it is added under if there is none. */
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

/** The signing secrets of the shared platform that the installation's owner set at the dashboard. Global by nature. */
export interface SharedSecrets {
  /**
   * Newest first, without those past their time. `recent`: an answer of the last two seconds is enough, as with
   * `Connections.list`.
   */
  list(now: Date, seen?: 'newest' | 'recent'): Promise<readonly SharedSecret[]>;
  /**
   * Makes `secret` the one that lasts. Those before it stop at `formerUntil`, or sooner where they were to. `known`: it is
   * the one that lasts already, and nothing changed. Of two at once, the later one lasts.
   */
  replace(change: {
    readonly id: string;
    readonly secret: string;
    readonly now: Date;
    readonly formerUntil: Date;
  }): Promise<'set' | 'replaced' | 'known'>;
}

/** An account of the shared platform, and whose it is. */
export interface MappedAccount {
  readonly account: string;
  readonly orgId: string;
  readonly organisation: string;
}

/** Whose each account of the shared platform is, as the service's operator said. Global by nature. */
export interface PaymentAccounts {
  /**
   * Maps an account, together with the organisation's connection of its name (added under `connectionId` when there is
   * none). An account is one organisation's: of two who want it at once, one gets it, and the other leaves no trace.
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
   * Takes an account out of the map, and answers with whose it was; null when it was nobody's. The connection of its name
   * stays, with all that came over it: should the account be mapped to the same organisation again, it goes on there. With
   * `orgId`, one that is another organisation's stays mapped, and counts as nobody's.
   */
  unmap(account: string, orgId?: string): Promise<Destination | null>;
}
