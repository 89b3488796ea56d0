/** The limits of the connections of one purpose. */
export interface ConnectionLimits {
  readonly maxConnections: number;
  /** How long a statement waits for a free connection: waiting under load is not an outage. */
  readonly waitMs: number;
  readonly statementMs: number;
  /** Longer than a frozen process can hold a lock. A longer wait is a queue, and would only occupy the connection. */
  readonly lockMs: number;
  /**
   * Whether plans are kept: the statements are few, recur, and find all rows through an index, so that no plan is
   * better for some values than for others.
   */
  readonly keepsPlans: boolean;
  /** Whether a commit waits for the disk. If not, a crash of PostgreSQL undoes the commits of the last second. */
  readonly isDurable: boolean;
}

export type Purpose = 'accepting' | 'deciding' | 'pages' | 'leases';

/**
 * Each purpose has its own connections, so that a busy dashboard or a stuck release does not keep webhooks from being
 * accepted. With those of the queue (4), readiness and the clock (1 each), a process has 26 at most: three processes,
 * commands and dumps fit into PostgreSQL's default of 100, of which 3 are reserved for superusers. Connections are
 * opened on demand and closed when idle.
 */
export const LIMITS: Readonly<Record<Purpose, ConnectionLimits>> = {
  // One per concurrent batch of recordings. Shops time out after 5 s.
  accepting: {
    maxConnections: 4,
    waitMs: 4_000,
    statementMs: 4_500,
    lockMs: 4_500,
    keepsPlans: true,
    isDurable: true,
  },
  // One per concurrent batch of orders that is loaded or committed, plus sweeps and mails.
  deciding: {
    maxConnections: 8,
    waitMs: 10_000,
    statementMs: 20_000,
    lockMs: 10_000,
    keepsPlans: true,
    isDurable: true,
  },
  // Long lists are read page by page: a client does not wait for a statement of 20 s.
  pages: {
    maxConnections: 6,
    waitMs: 10_000,
    statementMs: 20_000,
    lockMs: 10_000,
    keepsPlans: false,
    isDurable: true,
  },
  // A lease lasts 15 s and is renewed every 5 s: a renewal that takes longer than that is late.
  leases: {
    maxConnections: 2,
    waitMs: 4_000,
    statementMs: 4_500,
    lockMs: 4_500,
    keepsPlans: true,
    isDurable: true,
  },
};

/**
 * It also renews leases. Claims and ends of jobs do not wait for the disk: one that is undone means that the job runs
 * again, as after any crash, and what a job does is committed over other connections.
 */
export const QUEUE_LIMITS: ConnectionLimits = { ...LIMITS.leases, maxConnections: 4, isDurable: false };
