import type { Platform } from './platform.ts';

/** One shop or account of a platform, with the secrets its deliveries may be signed with right now. */
export interface Connection {
  readonly id: string;
  /** Unique per organisation and platform; `main` unless the operator names it. */
  readonly name: string;
  /** In clear text: never log, never show. */
  readonly secrets: readonly string[];
  readonly rules: ConnectionRules;
}

/** Where a delivery belongs: to one connection of one organisation. */
export interface Destination {
  readonly orgId: string;
  readonly connectionId: string;
}

/** The connection for events that name no account of the shared platform; the names of accounts begin with `acct_`. */
export const NAMED_IN_METADATA = 'metadata';

/** What an operator decides for one connection. */
export interface ConnectionRules {
  /** Refuse what else would be taken with a note: where a signature says nothing of its body. */
  readonly strict: boolean;
  /** Test orders of the platform are then logged as ignored, and nothing is delivered. */
  readonly ignoreTestOrders: boolean;
  /** For orders that name no currency: a code of ISO 4217. */
  readonly defaultCurrency: string | null;
}

/** The rules of a connection that was told none. */
export const USUAL_RULES: ConnectionRules = {
  strict: false,
  ignoreTestOrders: false,
  defaultCurrency: null,
};

/** A connection as people may see it: what came over it, and when its secrets were set, but never a secret. */
export interface ConnectionFacts {
  readonly id: string;
  readonly platform: Platform;
  readonly name: string;
  readonly rules: ConnectionRules;
  /** When the newest lasting secret was set; null when it has none of its own. */
  readonly secretSetAt: Date | null;
  /** How many lasting secrets it has. */
  readonly secretCount: number;
  /** Whether one of them is shorter than {@link minSecretLength}: it was set before that was asked for. */
  readonly hasShortSecret: boolean;
  /** Until when a secret that was replaced still verifies; null when there is none. */
  readonly formerUntil: Date | null;
  /** Whether an account of the shared platform is mapped to it. */
  readonly hasAccount: boolean;
  /** The newest entry of the log that is not a test order of the dashboard: those say nothing of the shop. */
  readonly lastDelivery: LastDelivery | null;
  /** When the newest `MAX_ARRIVALS` such entries came, newest first; none older than `ARRIVALS_PERIOD_MS` before the last. */
  readonly arrivals: readonly Date[];
}

/** The latest delivery that a connection verified. */
export interface LastDelivery {
  readonly id: string;
  readonly at: Date;
  readonly orderId: string | null;
  /** As buyer and shop know it. */
  readonly orderNumber: string | null;
}
