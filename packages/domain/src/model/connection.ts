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
