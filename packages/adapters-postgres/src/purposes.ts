/** What connections of one purpose may do. */
export interface ConnectionLimits {
  readonly maxConnections: number;
  /** How long a statement waits for a free connection: under load that is patience, not an outage. */
  readonly waitMs: number;
  readonly statementMs: number;
  /** Longer than a frozen process keeps a lock: who waits for longer waits for a queue, and a connection is worth more. */
  readonly lockMs: number;
  /**
   * Whether plans are kept: its statements are few, come again and again, and find all rows through an index, so that no plan
   * of theirs is better for some values than for others.
   */
  readonly keepsPlans: boolean;
}

export type Purpose = 'accepting' | 'deciding' | 'pages' | 'leases';

/**
 * Each purpose has connections of its own, so that a busy dashboard or a stuck release keeps none from accepting. With
 * those of the queue (4), readiness and the clock (1 each) a process has 26 at most: three processes, commands and dumps fit
 * into PostgreSQL's usual 100, of which 3 are kept for superusers. None is opened before it is needed, and an idle one is closed.
 */
export const LIMITS: Readonly<Record<Purpose, ConnectionLimits>> = {
  // As many as batches of recordings run at once. Shops give up after 5 s.
  accepting: { maxConnections: 4, waitMs: 4_000, statementMs: 4_500, lockMs: 4_500, keepsPlans: true },
  // As many as batches of orders are loaded and committed at once; sweeps and mails beside them.
  deciding: { maxConnections: 8, waitMs: 10_000, statementMs: 20_000, lockMs: 10_000, keepsPlans: true },
  // Long lists come page by page: a statement of 20 s is one that nobody waits for.
  pages: { maxConnections: 6, waitMs: 10_000, statementMs: 20_000, lockMs: 10_000, keepsPlans: false },
  // A lease lasts 15 s and is renewed every 5: a renewal that takes longer than that is late.
  leases: { maxConnections: 2, waitMs: 4_000, statementMs: 4_500, lockMs: 4_500, keepsPlans: true },
};

/** It renews leases, too. */
export const QUEUE_LIMITS: ConnectionLimits = { ...LIMITS.leases, maxConnections: 4 };
