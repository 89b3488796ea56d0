import type { Connection, ConnectionRules, Destination } from './access/connection.ts';
import type { ConnectionFacts } from './access/connection-state.ts';
import type { Caller, Organisation, Role, StoredApiKey, User } from './access/organisation.ts';
import type { OpenSignIn, SignedIn, SignInMail, StoredSession } from './access/sign-in.ts';
import type { TeamMember } from './access/team.ts';
import type { Alert } from './alerts/alert.ts';
import type { AlertMail, AlertMailClaim } from './alerts/alert-mail.ts';
import type {
  Product,
  ProductFile,
  ProductListRow,
  ProductStatus,
  ProductVersion,
} from './catalogue/product.ts';
import type { SkuMapping } from './catalogue/sku-mapping.ts';
import type { DownloadPage } from './downloads/download-page.ts';
import type {
  DownloadClient,
  DownloadProgress,
  DownloadSessionRow,
  SentBytes,
} from './downloads/download-session.ts';
import type { DownloadFigures } from './downloads/downloads-report.ts';
import type { LinkMail, LinkMailClaim, LinkMailOutcome, NewLinkMail } from './downloads/link-mail.ts';
import type { CountedTries } from './downloads/throttle.ts';
import type {
  Delivery,
  DeliveryBody,
  DeliveryListRow,
  DeliveryStatus,
  StoredDelivery,
} from './fulfilment/delivery.ts';
import type { Job } from './fulfilment/job.ts';
import type { LogCounts, LogEntry, LogQuery, LogSource, OpenedLogEntry } from './fulfilment/log-entry.ts';
import type { HeldOrder, UnmatchedMark, UnmatchedSku } from './fulfilment/open-delivery.ts';
import type { ActivityEntry, Known, Plan } from './fulfilment/plan.ts';
import type { Proof } from './fulfilment/proof.ts';
import type { ReceivedDelivery } from './fulfilment/record-deliveries.ts';
import type { AssignableDelivery, UnassignedDelivery } from './fulfilment/unassigned-delivery.ts';
import type { Order } from './orders/order.ts';
import type { Platform } from './orders/platform.ts';
import type { DayFigures, TodayFigures } from './overview/figures.ts';
import type { FirstSteps } from './overview/first-steps.ts';
import type { NeedFacts } from './overview/needs.ts';
import type { Customer, PurchaseRow } from './purchases/purchase.ts';
import type { FoundPurchase, PurchaseQuery } from './purchases/purchase-query.ts';
import type { PurchaseRecord } from './purchases/purchase-record.ts';
import type { RevokePurchaseResult } from './purchases/revoke-purchase.ts';
import type { AddSaleResult, NewSale } from './purchases/sale.ts';
import type { Mailing, NewMailing } from './receipts/mailing.ts';
import type { MailAnswer, ReceiptMail } from './receipts/receipt.ts';
import type { ReceiptClaim, ReceiptOutcome } from './receipts/receipt-claim.ts';
import type { RejectedDelivery, RejectionSummary } from './rejected/rejected-delivery.ts';
import type { LostWork } from './upkeep/rescue-lost-work.ts';

// What the domain asks of the world outside. Every method is scoped by organisation unless it finds one, and an id
// that is malformed or another organisation's counts as unknown, never as an error.

export interface Clock {
  now(): Date;
}

export interface Ids {
  /** A new UUIDv7, in the order of time. */
  next(): string;
}

export interface Organisations {
  /** Adds an organisation with its first user, the owner. `email-taken`: that user exists already; nothing is added. */
  add(organisation: Organisation, owner: User, ownerKey: StoredApiKey): Promise<'added' | 'email-taken'>;
  find(orgId: string): Promise<Organisation | null>;
  /** False: no such organisation. */
  change(orgId: string, values: Pick<Organisation, 'name' | 'email'>): Promise<boolean>;
  /**
   * Sets the end of the subscription and moves the catalogue's revision. With `releaseAt` it also queues the job of every
   * delivery that is held for the subscription, due then, and answers with their number. Null: no such organisation.
   */
  setSubscription(orgId: string, expiresAt: Date | null, releaseAt: Date | null): Promise<number | null>;
  /** Says where alerts go; null: to the owners. */
  setAlertEmail(orgId: string, email: string | null): Promise<'set' | 'unknown-organisation'>;
}

export interface Users {
  /** Global by nature: an e-mail address (folded) is one user. */
  add(user: User, key: StoredApiKey): Promise<'added' | 'email-taken' | 'unknown-organisation'>;
  findByKeyHash(hash: string): Promise<Caller | null>;
  /** The user's key as it is kept; null when there is no such user. */
  findKey(userId: string): Promise<StoredApiKey | null>;
  /** Puts the new key in the place of the old one, which is unknown from then on. */
  replaceKey(userId: string, key: StoredApiKey): Promise<'replaced' | 'unknown-user'>;
}

/** The users of an organisation. */
export interface Team {
  /** Oldest first, at most 500. */
  list(orgId: string): Promise<readonly TeamMember[]>;
  find(orgId: string, userId: string): Promise<TeamMember | null>;
  /**
   * Adds the user to the organisation of his membership. A user of that address who belongs to none joins under his own
   * id, with the key he has.
   */
  join(user: User, key: StoredApiKey): Promise<TeamMember | 'email-taken'>;
  /**
   * Sets the role of a member whose role is still `from`; to null: he leaves. Of the last two owners who step down at
   * once, one is too late.
   */
  setRole(
    orgId: string,
    userId: string,
    role: { readonly from: Role; readonly to: Role | null },
  ): Promise<'set' | 'last-owner' | 'unknown-user'>;
}

/** Counts for people to look at. */
export interface Figures {
  /** Days of the period on which anything happened, oldest first. */
  byDay(orgId: string, period: { readonly from: Date; readonly until: Date }): Promise<readonly DayFigures[]>;
  ofToday(orgId: string, day: { readonly midnight: Date; readonly now: Date }): Promise<TodayFigures>;
  /** Download sessions that began in the period, `until` itself excluded, by UTC day and in all. */
  ofDownloads(orgId: string, period: { readonly from: Date; readonly until: Date }): Promise<DownloadFigures>;
}

/** What only a person can mend, and how far a new organisation has come. */
export interface Needs {
  /**
   * Held are the products that most orders wait for, at most five. Failed are orders that came within the last thirty
   * days, and nothing of which was delivered or is waiting since. Rhythms are of connections that an order ever came by:
   * of each the latest fifty. Receipts and failed orders are counted up to `MOST_WAITING`.
   */
  read(orgId: string, now: Date): Promise<NeedFacts>;
  firstSteps(orgId: string): Promise<FirstSteps>;
}

/** What was done, by whom, in an organisation. */
export interface ActivityLog {
  add(orgId: string, entry: ActivityEntry): Promise<void>;
  /** Newest first (by id), older than the one with id `before` if that is given. */
  list(
    orgId: string,
    query: { readonly subjectId: string | null; readonly before: string | null; readonly limit: number },
  ): Promise<readonly ActivityEntry[]>;
}

/** One-time links into the dashboard. Global by nature: they belong to a user. */
export interface SignIns {
  /**
   * Adds a sign-in for the user of that address, in whatever spelling, with the job that mails its link if it is to be
   * mailed. `unknown-user`: nothing is added.
   */
  add(signIn: NewSignIn, delivery: 'mail' | 'no-mail'): Promise<'added' | 'unknown-user'>;
  /** Null once it was used or has expired, and for an unknown one. */
  findOpen(signInId: string, now: Date): Promise<OpenSignIn | null>;
  /** Uses it up and begins the session of its user, as one: of two at once, one is too late. */
  redeem(signInId: string, session: StoredSession): Promise<'redeemed' | 'too-late'>;
}

export interface NewSignIn {
  readonly id: string;
  readonly email: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Sessions at the dashboard. Global by nature: they belong to a user. */
export interface UserSessions {
  /** Who holds the session, as that user is now; null for one that is unknown or over. */
  find(hash: string, now: Date): Promise<SignedIn | null>;
  prolong(hash: string, expiresAt: Date): Promise<void>;
  end(hash: string): Promise<void>;
  /** Ends all sessions of a user, and the sign-ins that are still open. */
  endAll(userId: string): Promise<void>;
}

/** How often something was tried lately. Global by nature. */
export interface Throttles {
  /**
   * Counts a try of `key` in the window that is open at `at`, or opens one of this length. However many are counted at
   * once, each gets a number of its own. Keys are kept as hashes only, and not for long after their window.
   */
  count(key: string, windowMs: number, at: Date): Promise<CountedTries>;
}

export interface Connections {
  /**
   * Oldest connection first, newest secret first; the order decides when two connections share a secret. Null: no such
   * organisation. Empty: it has not set up the platform. Secrets past their time are left out.
   */
  list(orgId: string, platform: Platform, now: Date): Promise<readonly Connection[] | null>;
  /** All connections of an organisation, oldest first, with what people may know of them, in one statement. */
  listFacts(orgId: string, now: Date): Promise<readonly ConnectionFacts[]>;
  /**
   * Makes `secret` the one secret of the named connection, creating the connection (under `connectionId`) when there
   * is none of that name. Secrets it had before stop at `formerUntil`, or sooner where they were to.
   */
  replaceSecret(change: {
    readonly orgId: string;
    readonly platform: Platform;
    readonly name: string;
    readonly connectionId: string;
    readonly secretId: string;
    readonly secret: string;
    readonly now: Date;
    readonly formerUntil: Date;
  }): Promise<'created' | 'replaced' | 'unknown-organisation'>;
  /**
   * Adds a lasting secret to those of the named connection, creating it likewise. `known`: it has that very one,
   * without an end, and nothing changed.
   */
  addSecret(change: {
    readonly orgId: string;
    readonly platform: Platform;
    readonly name: string;
    readonly connectionId: string;
    readonly secretId: string;
    readonly secret: string;
    readonly now: Date;
  }): Promise<'created' | 'added' | 'known' | 'unknown-organisation'>;
  /** Changes just the rules that are given, and answers with all of them. Null: there is no such connection. */
  setRules(
    orgId: string,
    platform: Platform,
    name: string,
    change: Partial<ConnectionRules>,
  ): Promise<ConnectionRules | null>;
  /**
   * The named connection, for a platform whose connections have no secrets of their own. It is added (under
   * `connectionId`) when there is none of that name; of several who need it first at once, all get the same. Null: no
   * such organisation.
   */
  findOrAdd(wanted: {
    readonly orgId: string;
    readonly platform: Platform;
    readonly name: string;
    readonly connectionId: string;
    readonly now: Date;
  }): Promise<Destination | null>;
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
}

export interface Products {
  /** Every product, newest first, without holding them in memory. */
  list(orgId: string): AsyncIterable<ProductListRow>;
  /** Products that match, newest first (by id), older than the one with id `before` if that is given. */
  search(orgId: string, query: ProductQuery): Promise<readonly ProductListRow[]>;
  find(orgId: string, productId: string): Promise<Product | null>;
  add(product: Product): Promise<'added' | 'slug-taken'>;
  /**
   * Changes just the members that are given, in one step, so that changes made at the same moment all stay. `updatedAt`
   * becomes `now`, or a millisecond more than it was if that is later. Moves the catalogue's revision.
   */
  change(
    orgId: string,
    productId: string,
    change: ProductValues,
    now: Date,
  ): Promise<Product | 'slug-taken' | 'unknown-product'>;

  addVersion(orgId: string, version: ProductVersion): Promise<'added' | 'label-taken'>;
  /** Versions of a product with their files, newest first (by id), at most `limit`. */
  listVersions(orgId: string, productId: string, limit: number): Promise<readonly VersionWithFiles[]>;
  findVersion(orgId: string, productId: string, versionId: string): Promise<VersionWithFiles | null>;
  findVersionByLabel(orgId: string, productId: string, label: string): Promise<VersionWithFiles | null>;
  /** Adds or replaces one file while the version is still `preparing`. */
  putFile(orgId: string, versionId: string, file: ProductFile): Promise<'saved' | 'frozen'>;
  /**
   * Sets the version `ready` and makes it the product's active one, in one step. Moves the catalogue's revision.
   * `no-files` is judged in the same step, so that no version goes live empty.
   */
  activate(orgId: string, productId: string, versionId: string, now: Date): Promise<'activated' | 'no-files'>;
}

export interface ProductQuery {
  /** What name or slug must hold, in any case; blank for all. */
  readonly text: string;
  readonly status: ProductStatus | null;
  readonly before: string | null;
  readonly limit: number;
}

/** New values for what may change of a product; what is absent stays. */
export type ProductValues = Partial<
  Pick<Product, 'name' | 'slug' | 'description' | 'status' | 'activeVersionId'>
>;

export interface VersionWithFiles extends ProductVersion {
  readonly files: readonly ProductFile[];
}

/** The bytes of product files, kept by organisation and content. */
export interface FileStore {
  /**
   * Streams the content to its place and answers with its size and hash. It appears whole or not at all; content
   * that is there already is left as it is. Rejects when the source or the disk fails.
   */
  store(orgId: string, content: AsyncIterable<Uint8Array>): Promise<StoredContent>;
  /** The content from `start` (inclusive, default 0) to `end` (exclusive, default its size); null when unknown. */
  open(
    orgId: string,
    sha256: string,
    range?: { readonly start: number; readonly end: number },
  ): Promise<AsyncIterable<Uint8Array> | null>;
  /**
   * Only of a store that was told to hand out addresses of its own: one under which anyone gets the content, and any
   * range of it, until so many seconds from now, with that `Content-Disposition`. Null when the content is unknown.
   * What goes out under it goes past us, so nobody counts its bytes.
   */
  presign?(
    orgId: string,
    sha256: string,
    terms: { readonly seconds: number; readonly disposition: string },
  ): Promise<string | null>;
}

export interface StoredContent {
  readonly size: number;
  readonly sha256: string;
}

/** Uploads that come in piece by piece, from their first byte until a while after their content became a file. */
export interface StagedUploads {
  /**
   * Puts the content of an upload that is whole into the file store, as `FileStore.store` would. It stays staged, so
   * that this can be done again after a crash. `damaged`: its hash is not the expected one, and nothing was kept.
   */
  keep(orgId: string, uploadId: string, expectedSha256: string | null): Promise<StoredContent | 'damaged'>;
  /** Notes which file the upload has become, and lets go of its bytes. */
  settle(uploadId: string, file: ProductFile): Promise<void>;
  /** The file that the upload has become; null while it has not, and for an upload that is unknown. */
  findSettled(uploadId: string): Promise<ProductFile | null>;
  /** Forgets the upload and whatever has come in of it. */
  discard(uploadId: string): Promise<void>;
}

export interface SkuMappings {
  /** Adds or replaces the mapping of that SKU (and platform). Moves the catalogue's revision. */
  put(orgId: string, mapping: SkuMapping): Promise<'saved' | 'unknown-product' | 'unknown-organisation'>;
  /** Every mapping, by SKU and then by platform, those for all platforms first. */
  list(orgId: string): AsyncIterable<SkuMapping>;
  /** Mappings to that product, by SKU and then by platform, at most `limit`. */
  listOf(orgId: string, productId: string, limit: number): Promise<readonly SkuMapping[]>;
  /** Takes the mapping of that SKU (folded) and platform away. Moves the catalogue's revision. */
  remove(orgId: string, sku: string, platform: Platform | null): Promise<'removed' | 'unknown'>;
}

/** The webhook log. */
export interface DeliveryLog {
  /**
   * Stores one request's body, its entries and their jobs as one. Once it resolves, nothing of it can be lost.
   * `reused`: its proof came first with another body, and unique keys say which was first. Then the proof's note is on
   * every entry, or, where it is to be refused, nothing is stored. `gone`: it was to be taken out of the rejected, and
   * is not among them; nothing is stored.
   */
  record(recording: DeliveryRecording): Promise<'recorded' | 'reused' | 'gone'>;
  find(orgId: string, deliveryId: string): Promise<StoredDelivery | null>;
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
}

/** Webhook requests of known organisations that were refused, because no secret of theirs verified them. */
export interface RejectedDeliveries {
  /**
   * Counts what was refused, in one statement, and keeps a request if one is given: of each organisation and platform
   * the newest `MOST_REJECTED`, by id. Writers at the same moment may leave a few more, until the next.
   */
  record(rejection: Rejection): Promise<void>;
  /** Those kept that came in at `since` or later, oldest first. Few enough, and small enough, for memory. */
  list(orgId: string, platform: Platform, since: Date): Promise<readonly RejectedDelivery[]>;
  /** By platform, for those that ever refused anything. */
  summary(orgId: string): Promise<readonly RejectionSummary[]>;
  /** Forgets what came in before, of every organisation, and says how many it was. Counts stay. */
  sweep(before: Date): Promise<number>;
}

export interface Rejection {
  readonly orgId: string;
  readonly platform: Platform;
  readonly count: number;
  readonly at: Date;
  readonly reason: string;
  /** The last of them, unless it is of no use or too large. */
  readonly kept: RejectedDelivery | null;
}

/**
 * Entries with an open line: held for a product, or of a SKU that no product is known for. Queueing their jobs is one
 * step, and theirs to bear twice: an entry that was decided since is left alone.
 */
export interface OpenDeliveries {
  /** How many orders have a line that is held for the product. */
  countHeld(orgId: string, productId: string): Promise<number>;
  /** Those orders, the one that has waited longest first, each with its first such entry. */
  listHeld(orgId: string, productId: string, limit: number): Promise<readonly HeldOrder[]>;
  /** Queues the job of every entry with such a line, due at `at`, and answers with their number. */
  releaseHeld(orgId: string, productId: string, at: Date): Promise<number>;
  /** How many entries have an unmatched line of that SKU (folded) and can be run; from every platform when null. */
  countWithSku(orgId: string, sku: string, platform: Platform | null): Promise<number>;
  /** Queues the job of each of them, due at `at`, and answers with their number. */
  releaseUnmatched(orgId: string, sku: string, platform: Platform | null, at: Date): Promise<number>;
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

export interface DeliveryQuery {
  readonly status: DeliveryStatus | null;
  readonly platform: Platform | null;
  readonly before: string | null;
  readonly limit: number;
}

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
}

/** Verified orders of the shared platform that belong to nobody yet. Global by nature: they have no organisation. */
export interface UnassignedDeliveries {
  /** Stores the orders of one request, with its body, as one. Once it resolves, nothing of it can be lost. */
  record(deliveries: readonly UnassignedDelivery[], body: Omit<DeliveryBody, 'id'>): Promise<void>;
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
   * at `startAfter`. Of two at once, one moves it. `gone`: it was moved already, or never was.
   */
  assign(deliveryId: string, destination: Destination, startAfter: Date): Promise<'assigned' | 'gone'>;
}

export interface Fulfilment {
  recall(order: Order): Promise<Known>;
  /**
   * Applies the whole plan or none of it, and takes the delivery's own job off the queue. Answers
   * `changed-meanwhile`, with nothing applied, when what the plan rests on has changed or someone else made one of
   * its purchases (organisation, connection, order id, product) or its customer first. The entries that the plan
   * settles are those decided by then.
   */
  commit(plan: Plan): Promise<'committed' | 'changed-meanwhile'>;
}

export interface Receipts {
  /**
   * Takes the receipt for sending, if it is owed and due, and gives its links (of each purchase the newest) their 48
   * hours anew. The claim holds until `settle`, and lapses by itself within 20 seconds when the process that holds it
   * dies.
   */
  claim(orgId: string, receiptId: string, now: Date): Promise<ReceiptClaim>;
  /**
   * Ends a claim. With the receipt, it settles every open (pending and decided) delivery that waits for it: `sent`
   * makes them a success once every receipt of theirs is sent, also those that were an error for a receipt;
   * `refused` an error; `try-again` leaves them pending with the reason, and queues the next try. `refused` is an
   * alert.
   */
  settle(orgId: string, receiptId: string, outcome: ReceiptOutcome): Promise<void>;
}

export interface Mailer {
  /**
   * Never rejects for what a mail server does. A crash between the server's acceptance and `settle` can mail a
   * receipt twice: both copies carry the same Message-ID, made from the receipt's id.
   */
  sendReceipt(mail: ReceiptMail): Promise<MailAnswer>;
  /** As `sendReceipt`, for a link into the dashboard. */
  sendSignInLink(mail: SignInMail): Promise<MailAnswer>;
  /** The same promises, by the mail's own id. */
  sendLinkMail(mail: LinkMail): Promise<MailAnswer>;
  /** The same for a mail of alerts; its Message-ID is made from the mail's id. */
  sendAlerts(mail: AlertMail): Promise<MailAnswer>;
}

/**
 * Alerts come to be in the step that gives cause to them: `record`, `commit` and a receipt's `settle`. The key of what
 * they are about and their cause lets each in once, for ever. One that is new joins the organisation's mail that
 * collects, or begins one and queues its job.
 */
export interface Alerts {
  /**
   * Takes a mail for sending if its time has come (`whenToMail` says so of one that collects: it is closed then), to
   * the organisation's alert address or else its owners'. Claims hold as those of receipts do.
   */
  claim(orgId: string, mailId: string, now: Date): Promise<AlertMailClaim>;
  /** Ends a claim. `try-again` queues the next try; `refused` is written into the activity log, for somebody to see. */
  settle(orgId: string, mailId: string, outcome: ReceiptOutcome): Promise<void>;
}

export interface Purchases {
  /** Every purchase, newest first, without holding them in memory. */
  list(orgId: string): AsyncIterable<PurchaseRow>;
  /** A page of those that match, newest first. */
  search(orgId: string, query: PurchaseQuery): Promise<readonly FoundPurchase[]>;
  count(orgId: string): Promise<number>;
  /** All that is known of one, seen at one moment; of each kind of fact the newest `RECORD_LIMIT`. */
  show(orgId: string, purchaseId: string): Promise<PurchaseRecord | null>;
  /**
   * Withdraws every link of the purchase at the entry's time, and adds the entry. While its newest link is withdrawn
   * nobody makes another: whoever is about to waits, and then sees it. `done-before`: it is withdrawn, nothing is added.
   */
  revoke(orgId: string, purchaseId: string, entry: ActivityEntry): Promise<RevokePurchaseResult>;
  /** Takes that back, for the links that it withdrew and no others, and adds the entry. */
  restore(orgId: string, purchaseId: string, entry: ActivityEntry): Promise<RevokePurchaseResult>;
  /**
   * Applies the whole sale or none of it. Unique keys decide between two at once: one of the customer's address
   * (`customer-exists`), one of the idempotency key.
   */
  add(sale: NewSale): Promise<AddSaleResult>;
}

export interface Customers {
  /** By the folded address: two spellings of one address are one person. */
  findByEmail(orgId: string, email: string): Promise<Customer | null>;
}

/** Mailing again what was mailed, or should have been. */
export interface Mailings {
  find(orgId: string, purchaseId: string): Promise<Mailing | null>;
  /** Makes an owed receipt due at once, as if no try had failed, and queues its job. */
  hasten(orgId: string, receiptId: string, now: Date): Promise<'queued' | 'changed-meanwhile'>;
  /**
   * Applies the whole mailing or none of it: the purchases move to the new receipt and its customer, and entries of
   * the log that were an error for the former receipt wait for the new one. The former receipt, if owed, is not sent.
   * Answers `changed-meanwhile`, with nothing applied, when what it rests on has changed.
   */
  renew(mailing: NewMailing): Promise<'queued' | 'changed-meanwhile'>;
}

export interface DownloadLinks {
  find(orgId: string, linkId: string): Promise<DownloadPage | null>;
  /** Counts an opening, notes its time (the first one stays) and moves the expiry, unless the link is expired or revoked at `at`: then false. */
  refresh(orgId: string, linkId: string, at: Date, expiresAt: Date): Promise<boolean>;
  /** Moves the expiry as `refresh` does, and counts nothing: fetching a file in a hundred parts opens no page. */
  prolong(orgId: string, linkId: string, at: Date, expiresAt: Date): Promise<boolean>;
  /** Withdraws the link from `at` on; one that was withdrawn before stays so from then. False: no such link. */
  revoke(orgId: string, linkId: string, at: Date): Promise<boolean>;
  /** Lets a withdrawn link work again until it expires. False: no such link. */
  restore(orgId: string, linkId: string): Promise<boolean>;
}

/** Mails with new links that buyers asked for. Each is kept only until it is settled. Global by nature. */
export interface LinkMails {
  /**
   * Adds the link, its activity entry, and the mail that brings it with its job, as one. While a mail for this purchase
   * is owed, that one is made due at once instead, and nothing is added. `revoked`: the newest link of the purchase is,
   * so it gets no new one.
   */
  requestOne(request: NewLinkMail): Promise<'queued' | 'revoked'>;
  /**
   * Owes a mail with new links for everything bought with the address (folded), with its job; while one is owed to that
   * address, it is made due at once instead. Whether anything was bought is not looked at, so that known and unknown
   * addresses cannot be told apart.
   */
  requestAll(request: { readonly mailId: string; readonly email: string; readonly at: Date }): Promise<void>;
  /**
   * Takes the mail for sending, if it is owed and due. The first time, one for an address makes its links: one for each
   * of the newest `LINKS_PER_MAIL` purchases, but none where the newest link is revoked. Gives the mail's links their
   * 48 hours anew, and leaves out those revoked meanwhile; a mail that has none left is settled. The claim holds until
   * `settle`, and lapses by itself within 20 seconds when the process that holds it dies.
   */
  claim(mailId: string, now: Date, newLinkId: () => string): Promise<LinkMailClaim>;
  /** Ends a claim. After `done` nothing is kept of the mail; `try-again` queues the next try. */
  settle(mailId: string, outcome: LinkMailOutcome): Promise<void>;
}

export interface DownloadSessions {
  /**
   * Joins the session `joining`, if it is one of the link's and not completed; else the link's latest session, if that is
   * not completed and a byte of it went out within the last `SESSION_PAUSE_MS`; else begins one under `sessionId`.
   * Answers with the id of the session; null for an unknown link.
   */
  begin(
    orgId: string,
    linkId: string,
    request: {
      readonly sessionId: string;
      readonly joining: string | null;
      readonly client: DownloadClient;
      readonly at: Date;
    },
  ): Promise<string | null>;
  /**
   * Adds bytes that went out of one file: to the sum of the session, and to the ranges of the file, which it keeps to at
   * most `MAX_PIECES` pieces.
   */
  addSent(orgId: string, sessionId: string, sent: SentBytes, at: Date): Promise<void>;
  /** The link's latest session, by its latest byte; null before there is any. */
  latest(orgId: string, linkId: string): Promise<DownloadProgress | null>;
  /**
   * Marks the link used (its first time stays) and the session completed: the named one of the link's, or the latest.
   * Adds the activity entry if that session was not completed before; without any session, if the link was not used
   * before. All as one, so that of two at once one counts. A withdrawn link is left as it is.
   */
  complete(
    orgId: string,
    linkId: string,
    completion: { readonly sessionId: string | null; readonly at: Date; readonly activity: ActivityEntry },
  ): Promise<CompletedDownload>;
  /** Sessions that began in the period, oldest first, without holding them in memory. */
  list(
    orgId: string,
    period: { readonly from: Date; readonly until: Date },
  ): AsyncIterable<DownloadSessionRow>;
}

export type CompletedDownload =
  | { readonly kind: 'completed'; readonly sessionId: string | null; readonly usedAt: Date }
  | { readonly kind: 'unknown' | 'unknown-session' | 'revoked' };

/** Turns a link's id into the capability that buyers hold, and back. */
export interface DownloadTokens {
  seal(orgId: string, linkId: string): string;
  /** Null for anything that we did not seal ourselves, in exactly the one spelling we gave it. */
  open(token: string): { readonly orgId: string; readonly linkId: string } | null;
  /** The absolute address of the link's page. */
  url(orgId: string, linkId: string): string;
  /** The absolute address of the page where buyers ask for new links. */
  myUrl(): string;
}

export interface ApiKeys {
  /** A new random key, and how to keep it. */
  mint(): { readonly key: string; readonly stored: StoredApiKey };
  /** SHA-256 of a key, 64 hex digits; null for what cannot be a key of ours, so that junk costs no query. */
  hash(key: string): string | null;
  /** The key of what {@link mint} stored. Throws when it was kept under a secret that is no longer known. */
  reveal(stored: StoredApiKey): string;
}

/** Turns a sign-in's id into the link that is mailed, and back. Nothing secret is stored for it. */
export interface SignInTokens {
  /** Null for anything that we did not seal ourselves, in exactly the one spelling we gave it. */
  open(token: string): string | null;
  /** The absolute address that signs in. */
  url(signInId: string): string;
}

/** The secrets that browsers hold for their session. */
export interface SessionTokens {
  mint(): { readonly token: string; readonly hash: string };
  /** SHA-256 of a token, 64 hex digits; null for what cannot be one of ours. */
  hash(token: string): string | null;
}

/** Reads the order of a stored delivery out of its bytes again; null when it holds none any more. */
export interface OrderReader {
  read(delivery: StoredDelivery): Order | null;
}

/** Verifies and reads a rejected request by the secrets that are set now; null when none of them fits. */
export interface RejectedReader {
  read(rejected: RejectedDelivery, connections: readonly Connection[]): ReceivedDelivery | null;
}

/** Recognises a secret again without keeping it. */
export interface SecretFingerprints {
  /** Of no use without our key. Bound to the organisation: the same secret elsewhere has another one. */
  make(orgId: string, secret: string): string;
  matches(orgId: string, secret: string, fingerprint: string): boolean;
}

/** What is done now and then, over all organisations. Each is bounded, and bears being done twice at once. */
export interface Upkeep {
  /**
   * Queues a job, due at `at`, for every order that is undecided, and every receipt and mail of alerts that is due and
   * that nobody holds, since before `before`, if there is none about it. Answers with their numbers.
   */
  putBackLostJobs(before: Date, at: Date): Promise<LostWork>;
  /**
   * Forgets bodies that came in before `before`, at most so many, but none with an entry that is pending or held.
   * Answers with their number: less than `limit` when no more are left.
   */
  removeBodies(before: Date, limit: number): Promise<number>;
}

/** All that is kept in one database. */
export interface Stores {
  readonly organisations: Organisations;
  readonly users: Users;
  readonly team: Team;
  readonly activity: ActivityLog;
  readonly figures: Figures;
  readonly needs: Needs;
  readonly signIns: SignIns;
  readonly userSessions: UserSessions;
  readonly throttles: Throttles;
  readonly connections: Connections;
  readonly accounts: PaymentAccounts;
  readonly products: Products;
  readonly skuMappings: SkuMappings;
  readonly deliveries: DeliveryLog;
  readonly unassigned: UnassignedDeliveries;
  readonly rejected: RejectedDeliveries;
  readonly openDeliveries: OpenDeliveries;
  readonly fulfilment: Fulfilment;
  readonly receipts: Receipts;
  readonly alerts: Alerts;
  readonly purchases: Purchases;
  readonly customers: Customers;
  readonly mailings: Mailings;
  readonly links: DownloadLinks;
  readonly linkMails: LinkMails;
  readonly sessions: DownloadSessions;
  readonly upkeep: Upkeep;
}
