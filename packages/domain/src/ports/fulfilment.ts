import type { ActivityEntry } from '../model/activity.ts';
import type { Alert } from '../model/alert.ts';
import type { Connection, Destination } from '../model/connection.ts';
import type {
  Delivery,
  DeliveryBody,
  DeliveryListRow,
  DeliveryStatus,
  Proof,
  ReceivedDelivery,
  StoredDelivery,
} from '../model/delivery.ts';
import type { Job } from '../model/job.ts';
import type { LogCounts, LogEntry, LogQuery, LogSource, OpenedLogEntry } from '../model/log-entry.ts';
import type { HeldOrder, UnmatchedCursor, UnmatchedSku } from '../model/open-delivery.ts';
import type { Order } from '../model/order.ts';
import type { OrderSnapshot, Plan } from '../model/plan.ts';
import type { Platform } from '../model/platform.ts';
import type { Refund } from '../model/refund.ts';
import type { RejectedDelivery, RejectionSummary } from '../model/rejected-delivery.ts';
import type { Release } from '../model/release.ts';
import type { AssignableDelivery, UnassignedDelivery } from '../model/unassigned-delivery.ts';

/** What pages and lists read of the webhook log. */
export interface DeliveryPages {
  /** Entries that match, newest first (by id), older than the one with id `before` if that is given. */
  list(orgId: string, query: DeliveryQuery): Promise<readonly DeliveryListRow[]>;
  /** One entry as the list shows it. */
  show(orgId: string, deliveryId: string): Promise<DeliveryListRow | null>;
  /** A page of those that match, newest first (by id). */
  search(orgId: string, query: LogQuery): Promise<readonly LogEntry[]>;
  /** Counts the entries of one connection; null: of all connections. */
  count(orgId: string, connectionId: string | null): Promise<LogCounts>;
  open(orgId: string, deliveryId: string): Promise<OpenedLogEntry | null>;
  /** The organisation's connections, by platform and then by name, at most 500. */
  listSources(orgId: string): Promise<readonly LogSource[]>;
  /** Whether the log has an entry of the platform other than test orders, which are sent from here. */
  hasReceived(orgId: string, platform: Platform): Promise<boolean>;
}

/** The webhook log. */
export interface DeliveryLog extends DeliveryPages {
  /**
   * Stores one request's body, its entries and their jobs atomically. Once it resolves, all of it is durable. `reused`: its
   * proof was used before with another body; unique keys decide which came first. Then every entry gets the proof's note or, if
   * the proof says so, the request is refused and nothing is stored. `gone`: the request should move out of the rejected ones,
   * but is not among them; nothing is stored.
   */
  record(recording: DeliveryRecording): Promise<'recorded' | 'reused' | 'gone'>;
  find(orgId: string, deliveryId: string): Promise<StoredDelivery | null>;
  /**
   * Sets the reason why an entry that was never decided waits. It stays until the entry is decided. An entry that was decided
   * since, or is not pending, is not changed.
   */
  explainPending(orgId: string, deliveryId: string, reason: string): Promise<void>;
  /**
   * Adds an e-mail address to an entry whose order came without one. False: the entry is unknown, it has an address, or its
   * buyer is known from earlier purchases of the order.
   */
  addAddress(orgId: string, deliveryId: string, email: string): Promise<boolean>;
}

/**
 * Which entries of the log to list; null for all. `before`: the id of the last entry of the previous page. Only ids are
 * compared, so that entry need not exist any more.
 */
export interface DeliveryQuery {
  readonly status: DeliveryStatus | null;
  readonly platform: Platform | null;
  readonly before: string | null;
  readonly limit: number;
}

/** Everything that one request writes into the log, in one transaction. */
export interface DeliveryRecording {
  readonly orgId: string;
  readonly body: DeliveryBody;
  readonly deliveries: readonly Delivery[];
  readonly jobs: readonly Job[];
  readonly proof: Proof | null;
  /** The rejected request that this was until now. */
  readonly rejectedId: string | null;
  /** None when absent. */
  readonly alerts?: readonly Alert[];
  /** At most one for each order. The store keeps the earliest refund of an order. None when absent. */
  readonly refunds?: readonly Refund[];
}

/** What pages read of the entries that are open. */
export interface OpenDeliveryPages {
  /** How many orders have a line that is held for the product. */
  countHeld(orgId: string, productId: string): Promise<number>;
  /** Those orders, the one that has waited longest first, each with its first such entry. */
  listHeld(orgId: string, productId: string, limit: number): Promise<readonly HeldOrder[]>;
  /** How many entries have an unmatched line of that SKU (normalized) and can be run; from every platform when null. */
  countWithSku(orgId: string, sku: string, platform: Platform | null): Promise<number>;
  /** Those entries of every platform, newest first. */
  listWithSku(orgId: string, sku: string, limit: number): Promise<readonly LogEntry[]>;
  /** Whether the release was stored and has not ended. */
  isReleasing(orgId: string, release: Release): Promise<boolean>;
  /**
   * How many SKUs (or vendor's ids) are unmatched in the log, whatever the state of the other lines of their orders. A SKU
   * leaves this count as soon as a mapping matches it (also one that ignores it), or once it is delivered.
   */
  countUnmatched(orgId: string): Promise<number>;
  /** Those SKUs, the most recent first; with `after`, only those after it. */
  listUnmatched(
    orgId: string,
    page: { readonly after: UnmatchedCursor | null; readonly limit: number },
  ): Promise<readonly UnmatchedSku[]>;
}

/**
 * Open entries: held for a product or the subscription, or with an unmatched SKU. A release is stored as one row, and a job
 * pages through its entries. Handlers must be idempotent: an entry that was decided since is skipped.
 */
export interface OpenDeliveries extends OpenDeliveryPages {
  /**
   * Stores that every entry that is open for this reason has to be processed again, with the job that does it, due at `at`. It
   * changes no entry, and waits for no lock of a decision. A release in progress starts from the beginning, because entries
   * that it has passed may be open again. Returns false in that case, true for a new release: of two concurrent calls, one
   * returns true.
   */
  release(orgId: string, release: Release, at: Date): Promise<boolean>;
  /**
   * Queues the jobs of the next entries of a release by id, due at `at`, and records the progress, atomically: a crash neither
   * skips nor repeats an entry. `over`: all of them were queued before, and the release is deleted. Entries of a SKU whose body
   * is no longer stored cannot be processed and are skipped; they count towards the page.
   */
  releaseNext(
    orgId: string,
    release: Release,
    page: { readonly at: Date; readonly limit: number },
  ): Promise<'more' | 'over'>;
  /**
   * Queues the jobs that process these failed or held entries again, and adds the activity entries, atomically. `entries` has
   * an activity entry for each delivery (its subject), whose time is when the job is due. Skips deliveries that were decided
   * since they were seen, already wait for their job, are not orders, or have lost their body. Returns the ids that were
   * queued.
   */
  rerunAll(
    orgId: string,
    seen: readonly SeenEntry[],
    entries: readonly ActivityEntry[],
  ): Promise<readonly string[]>;
}

/** An entry of the log as a page showed it. */
export interface SeenEntry {
  readonly deliveryId: string;
  readonly attempts: number;
}

/** Verified orders of the shared platform that have no organisation yet, so this port is not scoped by organisation. */
export interface UnassignedDeliveries {
  /**
   * Stores the orders of one request, with its body, atomically. Once it resolves, all of it is durable. An order that waits
   * already (see `UnassignedDelivery`) is not changed; of two concurrent requests, one stores it. Returns the id under which
   * each order waits, in the order of `deliveries`, which must not contain an order twice.
   */
  record(
    deliveries: readonly UnassignedDelivery[],
    body: Omit<DeliveryBody, 'id'>,
  ): Promise<readonly string[]>;
  /** Oldest first (by id), newer than the one with id `after` if that is given. */
  list(query: {
    readonly after: string | null;
    readonly limit: number;
  }): Promise<readonly UnassignedDelivery[]>;
  count(): Promise<number>;
  /**
   * Deliveries whose account is mapped by now, or whose organisation exists by now, oldest first, without holding them in
   * memory. Null: of all accounts.
   */
  listAssignable(account: string | null): AsyncIterable<AssignableDelivery>;
  /**
   * Moves a delivery into the webhook log of its organisation, pending and with the same id, and queues its job, due at
   * `startAfter`. A delivery with a problem becomes an error, without a job. Of two concurrent calls, one moves it. `gone`: it
   * was moved already, or never existed.
   */
  assign(deliveryId: string, destination: Destination, startAfter: Date): Promise<'assigned' | 'gone'>;
}

/** Webhook requests of known organisations that were refused, because no secret of theirs verified them. */
export interface RejectedDeliveries {
  /**
   * Counts refused requests, in one statement, and stores a request if one is given. For each organisation and platform, those
   * that `chooseKept` chooses are kept. Concurrent writers may leave a few more until the next call, but never fewer.
   */
  record(rejection: Rejection): Promise<void>;
  /**
   * Stored requests that arrived at `since` or later, oldest first, except dismissed ones (see `subjectOfRejected`) and those
   * whose order was received and accepted since. They are few and small enough for memory.
   */
  list(orgId: string, platform: Platform, since: Date): Promise<readonly RejectedDelivery[]>;
  /** The requests that `list` omits only because they were dismissed. */
  listDismissed(orgId: string, platform: Platform, since: Date): Promise<readonly RejectedDelivery[]>;
  /** A summary for each platform for which a request was ever refused. */
  summary(orgId: string): Promise<readonly RejectionSummary[]>;
  /**
   * Deletes the requests of all organisations that arrived before, with their dismissals, and returns their number. Counts
   * stay.
   */
  sweep(before: Date): Promise<number>;
}

/** Rejected requests that are recorded together: `count` of them, for the same reason. */
export interface Rejection {
  readonly orgId: string;
  readonly platform: Platform;
  readonly count: number;
  readonly at: Date;
  readonly reason: string;
  /** The last of them, unless it is of no use or too large. */
  readonly kept: RejectedDelivery | null;
  /**
   * For a stored request that is genuine: raised in the same transaction. Only a request that was stored with an alert keeps
   * one open later.
   */
  readonly alert?: Alert | null;
}

/**
 * Loads the facts on which the decision about an order depends, and commits what was decided. Nothing else commits it.
 *
 * By default, a snapshot has a subscription without an end, no default currency, and test orders that are delivered. Purchases
 * that were sold by hand, or before their aliases were stored, have no `purchaseAliases`.
 */
export interface Fulfilment {
  loadSnapshot(order: Order): Promise<OrderSnapshot>;
  /**
   * Applies the whole plan or none of it, and removes the jobs that decide the delivery from the queue. Plans of one order are
   * committed one after the other. The plan completes the entries that are decided at that time. Its entries of the activity
   * log are added unchanged; the store adds none of its own.
   */
  commit(plan: Plan): Promise<CommitAnswer>;
}

/**
 * `decided-meanwhile`: nothing was applied, because the entry was decided meanwhile. Nothing is left to decide, whatever else
 * has changed. `changed-meanwhile`: nothing was applied, and the order must be decided again. Something else that the plan
 * depends on has changed (including further purchases of its order), or another transaction created one of its purchases
 * (organisation, connection, order id, product) or its customer first.
 */
export type CommitAnswer = 'committed' | 'changed-meanwhile' | 'decided-meanwhile';

/**
 * Parses the order of a stored delivery from its bytes again. Null: this process finds no order in them; a process of another
 * version may. An order without an e-mail address gets the one that was added to its entry.
 */
export interface OrderReader {
  read(delivery: StoredDelivery): Order | null;
}

/** Verifies and reads a rejected request with the current secrets; null if none of them verifies it. */
export interface RejectedReader {
  read(rejected: RejectedDelivery, connections: readonly Connection[]): ReceivedDelivery | null;
}

/** Periodic work over all organisations. Each method is bounded and idempotent, even if two processes run it concurrently. */
export interface Maintenance {
  /**
   * Creates the partitions for the bodies of the coming weeks, and drops those of each week that was over at `before`. Bodies
   * that arrived later, or have a pending or held entry, are kept. Weeks that cannot be created or dropped now, because
   * somebody reads them, are left for the next time. Bodies of a week without a partition are stored all the same.
   */
  rotateBodies(now: Date, before: Date): Promise<{ readonly made: number; readonly dropped: number }>;
  /**
   * Deletes at most `limit` bodies that arrived before `before`, but none with a pending or held entry. Bodies in partitions
   * may be left to `rotateBodies`. Returns the number of deleted bodies: less than `limit` when no more are left.
   */
  removeBodies(before: Date, limit: number): Promise<number>;
  /** Deletes at most `limit` rows that are older than `before`. Returns their number: less than `limit` when no more are left. */
  prune(what: Prunable, before: Date, limit: number): Promise<number>;
}

/**
 * What can be deleted once it is old. "Before" means before the given time:
 *
 * - `logEntries`: entries that arrived before, with their lines, unless they are pending or held. With the last entry of an
 *   order, or an entry without an order, its dismissal is deleted: see `subjectOfEntry`.
 * - `downloads`: download sessions that started before and have sent nothing since.
 * - `activity`: entries of the activity log.
 * - `idempotencyKeys`: those of sales before.
 * - `proofs`: those that were first seen before and cannot be accepted again: their connection is strict, and accepts only
 *   newer ones; or each of its secrets was set after them, or ended before.
 * - `signIns`: sign-ins that expired before, and sessions that ended before.
 * - `mailCounts`: counts of hours before.
 * - `throttles`: windows that ended before.
 */
export type Prunable =
  | 'logEntries'
  | 'downloads'
  | 'activity'
  | 'idempotencyKeys'
  | 'proofs'
  | 'signIns'
  | 'mailCounts'
  | 'throttles';
