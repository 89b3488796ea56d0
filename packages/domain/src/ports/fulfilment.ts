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
import type { HeldOrder, UnmatchedMark, UnmatchedSku } from '../model/open-delivery.ts';
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
  /** Those of one connection, or of all. */
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
   * Stores one request's body, its entries and their jobs as one. Once it resolves, nothing of it can be lost.
   * `reused`: its proof came first with another body, and unique keys say which was first. Then the proof's note is on
   * every entry, or, where it is to be refused, nothing is stored. `gone`: it was to be taken out of the rejected, and
   * is not among them; nothing is stored.
   */
  record(recording: DeliveryRecording): Promise<'recorded' | 'reused' | 'gone'>;
  find(orgId: string, deliveryId: string): Promise<StoredDelivery | null>;
  /**
   * Says why an entry that was never decided waits: that becomes its reason, until it is decided. One that was decided
   * since, or is not pending, stays as it is.
   */
  explainPending(orgId: string, deliveryId: string, reason: string): Promise<void>;
  /**
   * Adds an address to an entry whose order came without one. False: there is no such entry, it has an address, or its buyer is
   * known by what was sold of the order before.
   */
  addAddress(orgId: string, deliveryId: string, email: string): Promise<boolean>;
}

/**
 * Which entries of the log to list; null for all. `before`: the id of the last one of the page before. It is compared as an
 * id, so that an entry that was removed meanwhile divides the list all the same.
 */
export interface DeliveryQuery {
  readonly status: DeliveryStatus | null;
  readonly platform: Platform | null;
  readonly before: string | null;
  readonly limit: number;
}

/** All that one request writes into the log, in one transaction. */
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
  /** At most one of each order. Of those recorded, and of the same order, the earliest is kept. None when absent. */
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
  /** Whether it was written down, and is not over. */
  isReleasing(orgId: string, release: Release): Promise<boolean>;
  /**
   * How many SKUs (or vendor's ids) are unmatched in the log, whatever became of the rest of their orders. A mapping
   * that fits, "not ours" too, takes a SKU off this count at once; so does its delivery.
   */
  countUnmatched(orgId: string): Promise<number>;
  /** Those SKUs, the one that came last first; after `after` if it is given. */
  listUnmatched(
    orgId: string,
    page: { readonly after: UnmatchedMark | null; readonly limit: number },
  ): Promise<readonly UnmatchedSku[]>;
}

/**
 * Entries that are open: held for a product or the subscription, or of a SKU that no product is known for. A release is
 * written down as one row, and a job pages through its entries. Handlers must be idempotent: an entry that was decided since
 * is left alone.
 */
export interface OpenDeliveries extends OpenDeliveryPages {
  /**
   * Writes down that every entry that is open for this reason is to be run again, with the job that does it, due at `at`. No
   * entry is touched, nor any lock waited for that a decision holds. A release that is under way begins anew: what it has
   * passed may be open again.
   */
  release(orgId: string, release: Release, at: Date): Promise<void>;
  /**
   * Queues the jobs of the next entries of a release by id, due at `at`, and notes how far it has come, as one: who goes on
   * after a crash leaves out none, and repeats none. `over`: all of them were queued before, and the release is forgotten.
   * A SKU's entries that cannot be run, since their body is no longer kept, are passed over; a page counts them.
   */
  releaseNext(
    orgId: string,
    release: Release,
    page: { readonly at: Date; readonly limit: number },
  ): Promise<'more' | 'over'>;
  /**
   * Queues the jobs that run these failed or held entries again, due at the time of their entries of the activity, which are
   * added, as one: `entries` names each delivery as its subject. Skipped are those that were decided since they were seen, wait for
   * their job already, are not orders, or have lost their body. Answers with the ids that were queued.
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

/** Verified orders of the shared platform that belong to nobody yet. Global by nature: they have no organisation. */
export interface UnassignedDeliveries {
  /**
   * Stores the orders of one request, with its body, as one. Once it resolves, nothing of it can be lost. One that
   * waits already (see `UnassignedDelivery`) stays as it is; of two requests at once, one stores it. Answers with the
   * id that each waits under, in their order. No two of `deliveries` may be the same one.
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
   * Those whose account is mapped by now, or whose organisation exists by now, oldest first, without holding them in
   * memory: all of them, or those of one account.
   */
  listAssignable(account: string | null): AsyncIterable<AssignableDelivery>;
  /**
   * Moves one into the webhook log of its organisation, pending and under its own id, together with a job that is due
   * at `startAfter`; one with a problem becomes an error, without a job. Of two at once, one moves it. `gone`: it was moved already, or never was.
   */
  assign(deliveryId: string, destination: Destination, startAfter: Date): Promise<'assigned' | 'gone'>;
}

/** Webhook requests of known organisations that were refused, because no secret of theirs verified them. */
export interface RejectedDeliveries {
  /**
   * Counts what was refused, in one statement, and keeps a request if one is given: of each organisation and platform
   * those that `chooseKept` chooses. Writers at the same moment may leave a few more, until the next, and never fewer.
   */
  record(rejection: Rejection): Promise<void>;
  /**
   * Those kept that came in at `since` or later, oldest first, without those whose order was received since and accepted,
   * and those that were dismissed: see `subjectOfRejected`. Few enough, and small enough, for memory.
   */
  list(orgId: string, platform: Platform, since: Date): Promise<readonly RejectedDelivery[]>;
  /** The dismissed ones of them, which would be listed otherwise. */
  listDismissed(orgId: string, platform: Platform, since: Date): Promise<readonly RejectedDelivery[]>;
  /** By platform, for those that ever refused anything. */
  summary(orgId: string): Promise<readonly RejectionSummary[]>;
  /** Forgets what came in before, of every organisation, with its dismissals, and says how many it was. Counts stay. */
  sweep(before: Date): Promise<number>;
}

/** Rejected requests that are noted together: `count` of them, for the same reason. */
export interface Rejection {
  readonly orgId: string;
  readonly platform: Platform;
  readonly count: number;
  readonly at: Date;
  readonly reason: string;
  /** The last of them, unless it is of no use or too large. */
  readonly kept: RejectedDelivery | null;
  /** For what is kept and genuine: raised in the same transaction. Only what is kept with one keeps an alert alive later. */
  readonly alert?: Alert | null;
}

/**
 * What deciding an order rests on, and the one place where what was decided is written down.
 *
 * Of an organisation or connection that says nothing else, a snapshot has no end of the subscription, no default currency, and
 * test orders that are delivered. Purchases sold by hand, or before their names were kept, have no `purchaseAliases`.
 */
export interface Fulfilment {
  loadSnapshot(order: Order): Promise<OrderSnapshot>;
  /**
   * Applies the whole plan or none of it, and takes the jobs that decide the delivery off the queue. Plans of one order are
   * committed one after the other. The entries that the plan completes are those decided by then. Its entries of the activity
   * log are added as they are: the store writes none of its own.
   */
  commit(plan: Plan): Promise<CommitAnswer>;
}

/**
 * `decided-meanwhile`: nothing was applied, because the entry was decided since, whatever else has changed: there is nothing
 * left to decide. `changed-meanwhile`: nothing was applied, because something else that the plan rests on has changed (also
 * when anything more of its order was bought), or someone else made one of its purchases (organisation, connection, order
 * id, product) or its customer first: it must be decided again.
 */
export type CommitAnswer = 'committed' | 'changed-meanwhile' | 'decided-meanwhile';

/**
 * Reads the order of a stored delivery out of its bytes again; null when this process finds none in it. A process of
 * another version may. An order without an address has the one that was added to its entry.
 */
export interface OrderReader {
  read(delivery: StoredDelivery): Order | null;
}

/** Verifies and reads a rejected request by the secrets that are set now; null when none of them fits. */
export interface RejectedReader {
  read(rejected: RejectedDelivery, connections: readonly Connection[]): ReceivedDelivery | null;
}

/** Periodic work over all organisations. Each method is bounded and idempotent, also when two processes run it at once. */
export interface Maintenance {
  /**
   * Prepares for the bodies of the weeks to come, and forgets at once those of each week that was over at `before`. None is
   * forgotten that came in later, or has an entry that is pending or held. Weeks that cannot be made or forgotten now, because
   * somebody reads them, are left for the next time, and where none was made, bodies are kept all the same.
   */
  rotateBodies(now: Date, before: Date): Promise<{ readonly made: number; readonly dropped: number }>;
  /**
   * Forgets bodies that came in before `before`, at most so many, but none with an entry that is pending or held.
   * Those that are kept by the week may be left to `rotateBodies`. Answers with their number: less than `limit` when no
   * more are left.
   */
  removeBodies(before: Date, limit: number): Promise<number>;
  /** Forgets what is older than `before`, at most so many. Answers with their number: less than `limit` when no more are left. */
  prune(what: Prunable, before: Date, limit: number): Promise<number>;
}

/**
 * What can be forgotten once it is old:
 *
 * - `logEntries`: entries that came in before, with their lines, unless they are pending or held. The last of an order, or one
 *   without an order, takes its dismissal along: see `subjectOfEntry`.
 * - `downloads`: download sessions of which nothing went out since.
 * - `activity`: entries of the activity log.
 * - `idempotencyKeys`: those of sales before.
 * - `proofs`: those that were first seen before and cannot verify again: their connection is strict, and asks for newer ones
 *   by itself; or each of its secrets was set after them, or ended before.
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
