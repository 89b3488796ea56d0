import type { Platform } from './platform.ts';

/** One shop or account of a platform, with the secrets that verify its deliveries now. */
export interface Connection {
  readonly id: string;
  /** Unique per organisation and platform; `main` unless the operator names it. */
  readonly name: string;
  /** Plain text: never log or show them. */
  readonly secrets: readonly string[];
  readonly rules: ConnectionRules;
}

/** The connection and the organisation that a delivery belongs to. */
export interface Destination {
  readonly orgId: string;
  readonly connectionId: string;
}

/**
 * The name of the connection for events of the shared platform that name their organisation instead of an account. Names of
 * connections for accounts begin with `acct_`.
 */
export const NAMED_IN_METADATA = 'metadata';

/** The settings of one connection. */
export interface ConnectionRules {
  /** Refuses what is otherwise accepted with a note, where a signature does not cover the body. */
  readonly strict: boolean;
  /** Logs test orders of the platform as ignored, and delivers nothing. */
  readonly ignoreTestOrders: boolean;
  /** For orders that name no currency: a code of ISO 4217. */
  readonly defaultCurrency: string | null;
}

/** The rules of a connection until they are changed. */
export const DEFAULT_RULES: ConnectionRules = {
  strict: false,
  ignoreTestOrders: false,
  defaultCurrency: null,
};

/** A connection as the dashboard shows it, without its secrets. */
export interface ConnectionFacts {
  readonly id: string;
  readonly platform: Platform;
  readonly name: string;
  readonly rules: ConnectionRules;
  /** When its newest secret without an expiry was set; null if it has none. */
  readonly secretSetAt: Date | null;
  /** How many secrets without an expiry it has. */
  readonly secretCount: number;
  /** Whether one of them is shorter than `minSecretLength`: it was set before there was a minimum. */
  readonly hasShortSecret: boolean;
  /** Until when a replaced secret still verifies; null if there is none. */
  readonly formerUntil: Date | null;
  /** Whether an account of the shared platform is mapped to it. */
  readonly hasAccount: boolean;
  /** The newest entry of the log, except test orders of the dashboard, which do not show that the shop works. */
  readonly lastDelivery: LastDelivery | null;
  /** The times of the newest `MAX_ARRIVALS` such entries, newest first, from the `ARRIVALS_PERIOD_MS` before the last one. */
  readonly arrivals: readonly Date[];
}

/** The latest verified delivery of a connection. */
export interface LastDelivery {
  readonly id: string;
  readonly at: Date;
  readonly orderId: string | null;
  /** The number that buyer and shop know the order by. */
  readonly orderNumber: string | null;
}
