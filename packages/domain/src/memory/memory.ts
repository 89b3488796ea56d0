import type { CountedTries } from '../access/throttle.ts';
import type { PurchaseAlias } from '../fulfilment/purchase-aliases.ts';
import { formatRelease } from '../fulfilment/release.ts';
import type { Alert, AlertDetails } from '../model/alert.ts';
import type { ConnectionRules, Destination } from '../model/connection.ts';
import type { Delivery, DeliveryBody, DeliveryLine, HeldFor } from '../model/delivery.ts';
import type { DownloadLink } from '../model/download-link.ts';
import type { DownloadClient, SentBytes } from '../model/download-session.ts';
import type { Invitation } from '../model/invitation.ts';
import type { Job } from '../model/job.ts';
import type { Organisation, StoredApiKey, User } from '../model/organisation.ts';
import type { EmailKind, EmailStatus } from '../model/outgoing-email.ts';
import type { ActivityEntry } from '../model/plan.ts';
import type { Platform } from '../model/platform.ts';
import type { Product, ProductFile, ProductVersion } from '../model/product.ts';
import type { Customer, Purchase } from '../model/purchase.ts';
import type { RejectedDelivery, RejectionSummary } from '../model/rejected-delivery.ts';
import type { StoredSession } from '../model/sign-in.ts';
import type { SkuMapping } from '../model/sku-mapping.ts';
import type { UnassignedDelivery } from '../model/unassigned-delivery.ts';
import type { Claimable } from './claims.ts';
import type { ProofRow } from './fulfilment.ts';
import type { ReleaseRow } from './releases.ts';

/** The tables of the in-memory adapters. Rows are replaced, never changed in place. */
export interface Memory {
  readonly organisations: Map<string, Organisation>;
  readonly users: Map<string, User>;
  readonly keys: Map<string, StoredApiKey>;
  readonly signIns: Map<string, SignInRow>;
  readonly invitations: Map<string, InvitationRow>;
  /** By the hash of their token. */
  readonly userSessions: Map<string, StoredSession & { readonly userId: string }>;
  readonly throttles: Map<string, CountedTries>;
  /** By organisation and hour. */
  readonly mailCounts: Map<string, number>;
  readonly revisions: Map<string, number>;
  readonly products: Map<string, Product>;
  readonly versions: Map<string, ProductVersion & { readonly orgId: string }>;
  readonly files: Map<string, readonly ProductFile[]>;
  /** By version. */
  readonly liveSince: Map<string, Date>;
  readonly mappings: Map<string, SkuMapping & { readonly orgId: string }>;
  readonly connections: Map<string, ConnectionRow>;
  readonly accounts: Map<string, Destination>;
  readonly unassigned: Map<string, UnassignedRow>;
  /** Null: removed for its age. */
  readonly bodies: Map<string, DeliveryBody | null>;
  readonly deliveries: Map<string, DeliveryRow>;
  readonly customers: Map<string, Customer>;
  readonly purchases: Map<string, Purchase>;
  readonly purchaseAliases: Map<string, PurchaseAlias>;
  readonly links: Map<string, LinkRow>;
  readonly emails: Map<string, EmailRow>;
  readonly activity: Map<string, ActivityEntry & { readonly orgId: string }>;
  readonly jobs: Map<string, Job>;
  /** By organisation and what is released. */
  readonly releases: Map<string, ReleaseRow>;
  /** By organisation, what it is about, and cause. */
  readonly alerts: Map<string, AlertRow>;
  /** By organisation and key. */
  readonly idempotency: Map<string, IdempotencyRow>;
  readonly sessions: Map<string, SessionRow>;
  readonly proofs: Map<string, ProofRow>;
  readonly rejected: Map<string, RejectedDelivery>;
  /** By organisation and platform. */
  readonly rejections: Map<string, RejectionRow>;
}

export interface SignInRow {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly redeemed: boolean;
  readonly withdrawn: boolean;
}

export interface InvitationRow extends Invitation {
  readonly acceptedAt: Date | null;
}

export interface ConnectionRow {
  readonly id: string;
  readonly orgId: string;
  readonly platform: Platform;
  readonly name: string;
  readonly secrets: readonly {
    readonly secret: string;
    readonly setAt: Date;
    readonly expiresAt: Date | null;
  }[];
  readonly rules: ConnectionRules;
}

export interface RejectionRow extends Omit<RejectionSummary, 'kept'> {
  readonly orgId: string;
}

export interface UnassignedRow {
  readonly delivery: UnassignedDelivery;
  readonly body: Omit<DeliveryBody, 'id'>;
}

export interface IdempotencyRow {
  readonly fingerprint: string;
  readonly sale: { readonly purchaseId: string; readonly customerId: string; readonly linkId: string };
}

export interface AlertRow extends Omit<Alert, 'details'>, AlertDetails {
  readonly mailId: string;
}

export interface SessionRow {
  readonly id: string;
  readonly orgId: string;
  readonly linkId: string;
  readonly startedAt: Date;
  readonly lastByteAt: Date;
  readonly bytes: number;
  readonly completedAt: Date | null;
  readonly client: DownloadClient | null;
  /** By version and name, once for each file; ranges are those that went out, united. */
  readonly files: readonly SentBytes[];
}

/** `note` is the decision's. */
export interface DeliveryRow extends Delivery {
  readonly receivedNote: string | null;
  readonly heldFor: HeldFor | null;
  readonly attempts: number;
  readonly decidedAt: Date | null;
  readonly lines: readonly DeliveryLine[];
}

export interface LinkRow extends DownloadLink {
  readonly openedCount: number;
  readonly firstOpenedAt: Date | null;
  readonly lastOpenedAt: Date | null;
  readonly usedAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface EmailRow extends Claimable {
  readonly id: string;
  /** `NO_ORGANISATION` where it belongs to none. */
  readonly orgId: string;
  readonly kind: EmailKind;
  readonly status: EmailStatus;
  readonly pendingSince: Date;
  readonly attempts: number;
  readonly postponed: boolean;
  readonly lastAnswer: string | null;
  readonly lastAnswerAt: Date | null;
  readonly nextTryAt: Date;
  readonly sentAt: Date | null;
  readonly createdAt: Date;
  /** Of a receipt. */
  readonly customerId: string | null;
  /** What new links were asked for: a purchase, or an address (normalized). `COLLECTING`: alerts join it still. */
  readonly subject: string | null;
  /** Null until they are made. */
  readonly linkIds: readonly string[] | null;
  readonly leftOut: boolean;
}

export const COLLECTING = 'collecting';

export function createMemory(): Memory {
  return {
    organisations: new Map(),
    users: new Map(),
    keys: new Map(),
    signIns: new Map(),
    invitations: new Map(),
    userSessions: new Map(),
    throttles: new Map(),
    mailCounts: new Map(),
    revisions: new Map(),
    products: new Map(),
    versions: new Map(),
    files: new Map(),
    liveSince: new Map(),
    mappings: new Map(),
    connections: new Map(),
    accounts: new Map(),
    unassigned: new Map(),
    bodies: new Map(),
    deliveries: new Map(),
    customers: new Map(),
    purchases: new Map(),
    purchaseAliases: new Map(),
    links: new Map(),
    emails: new Map(),
    activity: new Map(),
    jobs: new Map(),
    releases: new Map(),
    alerts: new Map(),
    idempotency: new Map(),
    sessions: new Map(),
    proofs: new Map(),
    rejected: new Map(),
    rejections: new Map(),
  };
}

/** Answers with what brings every table back to how it is now, with whatever anybody changed meanwhile. */
export function rememberMemory(memory: Memory): () => void {
  const tables: readonly Map<string, unknown>[] = Object.values(memory);
  const before = tables.map((table) => ({ table, rows: [...table] }));
  return () => {
    for (const { table, rows } of before) {
      table.clear();
      for (const [key, row] of rows) table.set(key, row);
    }
  };
}

/** Whatever changes what orders match or deliver moves this, so that decisions resting on it are made again. */
export function moveRevision({ revisions }: Memory, orgId: string): void {
  revisions.set(orgId, (revisions.get(orgId) ?? 0) + 1);
}

/** Rows newest first: by time, then by id. */
export function newestFirst<Row extends { readonly createdAt: Date; readonly id: string }>(
  rows: Iterable<Row>,
): readonly Row[] {
  return [...rows].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
}

/**
 * Of each kind there is one job about a subject: it is due at the earlier of both times, and keeps the later attempts, which
 * only grow.
 */
export function queueJobs({ jobs }: Pick<Memory, 'jobs'>, wanted: readonly Job[]): void {
  for (const job of wanted) {
    const key = jobKey(job);
    const other = jobs.get(key) ?? job;
    const newest = attemptsOf(other) > attemptsOf(job) ? other : job;
    jobs.set(key, {
      ...newest,
      startAfter: new Date(Math.min(other.startAfter.getTime(), job.startAfter.getTime())),
    });
  }
}

function attemptsOf(job: Job): number {
  return 'attempts' in job ? job.attempts : 0;
}

/** Queues the job that sends an e-mail. */
export function queueEmail(
  memory: Pick<Memory, 'jobs'>,
  { kind: emailKind, orgId, id: emailId }: Pick<EmailRow, 'kind' | 'orgId' | 'id'>,
  startAfter: Date,
): void {
  queueJobs(memory, [{ kind: 'send-email', emailKind, orgId, emailId, startAfter }]);
}

export function jobKey(job: Job): string {
  return `${job.kind} ${subjectOf(job)}`;
}

function subjectOf(job: Job): string {
  if ('release' in job) return `${job.orgId} ${formatRelease(job.release)}`;
  return 'deliveryId' in job ? job.deliveryId : job.emailId;
}

/** Removes an invitation with its e-mail. */
export function removeInvitation({ invitations, emails }: Memory, id: string): boolean {
  emails.delete(id);
  return invitations.delete(id);
}

/** The links of a purchase. */
export function linksOf({ links }: Memory, purchaseId: string): readonly LinkRow[] {
  return [...links.values()].filter((link) => link.purchaseId === purchaseId);
}

/** What a receipt carries. */
export function purchasesOf({ purchases }: Memory, receiptId: string): readonly Purchase[] {
  return [...purchases.values()].filter((purchase) => purchase.receiptId === receiptId);
}

/** The version that was bought; one bought before there was any gets the product's live one. */
export function versionOf({ versions, products }: Memory, purchase: Purchase): ProductVersion | undefined {
  const versionId = purchase.versionId ?? products.get(purchase.productId)?.activeVersionId;
  return versionId ? versions.get(versionId) : undefined;
}
