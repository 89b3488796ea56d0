/** One shop or account of a platform, with the secrets its deliveries may be signed with right now. */
export interface Connection {
  readonly id: string;
  /** Unique per organisation and platform; `main` unless the operator names it. */
  readonly name: string;
  /** In clear text: never log, never show. */
  readonly secrets: readonly string[];
}

/** Where a delivery belongs: to one connection of one organisation. */
export interface Destination {
  readonly orgId: string;
  readonly connectionId: string;
}
