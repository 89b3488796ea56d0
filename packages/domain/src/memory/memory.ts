import type { ActivityEntry } from '../model/activity.ts';
import type { ApiKeyRecord } from '../model/api-key.ts';
import type { BulkRun } from '../model/bulk-action.ts';
import type { Destination } from '../model/connection.ts';
import type { DeliveryBody } from '../model/delivery.ts';
import type { Dismissal } from '../model/dismissal.ts';
import type { DownloadPage } from '../model/download-link.ts';
import { normalizeEmail } from '../model/email-address.ts';
import type { Job } from '../model/job.ts';
import type { Organisation } from '../model/organisation.ts';
import type { Passkey, PasskeyChallenge } from '../model/passkey.ts';
import type { Product, ProductFile, ProductVersion } from '../model/product.ts';
import type { Customer, Purchase, PurchaseAlias } from '../model/purchase.ts';
import { formatRelease } from '../model/release.ts';
import type { StoredSession } from '../model/sign-in.ts';
import type { SkuMapping } from '../model/sku-mapping.ts';
import type { User } from '../model/user.ts';
import type { CountedTries } from '../ports/access.ts';
import type { SharedSecret } from '../ports/connections.ts';
import type { ContentAddress } from '../ports/contents.ts';
import type {
  AlertRow,
  ConnectionRow,
  DeliveryRow,
  DeviceRow,
  EmailRow,
  IdempotencyRow,
  InvitationRow,
  LinkRow,
  ProofRow,
  RefundRow,
  RejectedRow,
  RejectionRow,
  ReleaseRow,
  SessionRow,
  SignInRow,
  UnassignedRow,
} from './rows.ts';

/** The tables of the in-memory adapters. Rows are replaced, never changed in place; a table iterates in the order of insertion. */
export interface Memory {
  readonly organisations: Map<string, Organisation>;
  readonly users: Map<string, User>;
  /** By hash. */
  readonly keys: Map<string, ApiKeyRecord & { readonly userId: string }>;
  readonly signIns: Map<string, SignInRow>;
  readonly invitations: Map<string, InvitationRow>;
  /** By the hash of their token. */
  readonly userSessions: Map<string, StoredSession & { readonly userId: string }>;
  readonly passkeys: Map<string, Passkey>;
  readonly passkeyChallenges: Map<string, PasskeyChallenge>;
  readonly devices: Map<string, DeviceRow>;
  readonly throttles: Map<string, CountedTries>;
  /** By organisation and hour. */
  readonly mailCounts: Map<string, number>;
  readonly revisions: Map<string, number>;
  readonly products: Map<string, Product>;
  readonly versions: Map<string, ProductVersion & { readonly orgId: string }>;
  readonly files: Map<string, readonly ProductFile[]>;
  /** The positions of files whose order was set, by version and name; other files have 0. */
  readonly filePositions: Map<string, number>;
  /** By version. */
  readonly liveSince: Map<string, Date>;
  readonly mappings: Map<string, SkuMapping & { readonly orgId: string }>;
  readonly connections: Map<string, ConnectionRow>;
  readonly accounts: Map<string, Destination>;
  /** By id. */
  readonly sharedSecrets: Map<string, SharedSecret>;
  readonly unassigned: Map<string, UnassignedRow>;
  /** Null: removed because of its age. */
  readonly bodies: Map<string, DeliveryBody | null>;
  readonly deliveries: Map<string, DeliveryRow>;
  readonly customers: Map<string, Customer>;
  readonly purchases: Map<string, Purchase>;
  /** The ids of the purchases of test orders. */
  readonly testPurchases: Map<string, true>;
  readonly purchaseAliases: Map<string, PurchaseAlias>;
  readonly links: Map<string, LinkRow>;
  readonly emails: Map<string, EmailRow>;
  readonly activity: Map<string, ActivityEntry & { readonly orgId: string }>;
  readonly jobs: Map<string, Job>;
  /** By organisation and formatted release. */
  readonly releases: Map<string, ReleaseRow>;
  /** By organisation, `about` and cause. */
  readonly alerts: Map<string, AlertRow>;
  /** By organisation and key. */
  readonly idempotency: Map<string, IdempotencyRow>;
  readonly sessions: Map<string, SessionRow>;
  readonly proofs: Map<string, ProofRow>;
  /** By connection and the name of the order. */
  readonly refunds: Map<string, RefundRow>;
  readonly rejected: Map<string, RejectedRow>;
  /** By organisation and platform. */
  readonly rejections: Map<string, RejectionRow>;
  /** By organisation and subject. */
  readonly dismissals: Map<string, Dismissal & { readonly orgId: string }>;
  /** By organisation and id. */
  readonly bulkActions: Map<string, BulkRun>;
  /** The contents that may be removable, by organisation and hash. */
  readonly contents: Map<
    string,
    ContentAddress & { readonly dueAt: Date | null; readonly claimedAt: Date | null }
  >;
}

export const COLLECTING = 'collecting';

/** Opens the table of that name. */
export type OpenTable = <Row>(name: keyof Memory) => Map<string, Row>;

/** Empty tables, or those that `openTable` opens. */
export function createMemory(openTable: OpenTable = () => new Map()): Memory {
  return {
    organisations: openTable('organisations'),
    users: openTable('users'),
    keys: openTable('keys'),
    signIns: openTable('signIns'),
    invitations: openTable('invitations'),
    userSessions: openTable('userSessions'),
    passkeys: openTable('passkeys'),
    passkeyChallenges: openTable('passkeyChallenges'),
    devices: openTable('devices'),
    throttles: openTable('throttles'),
    mailCounts: openTable('mailCounts'),
    revisions: openTable('revisions'),
    products: openTable('products'),
    versions: openTable('versions'),
    files: openTable('files'),
    filePositions: openTable('filePositions'),
    liveSince: openTable('liveSince'),
    mappings: openTable('mappings'),
    connections: openTable('connections'),
    accounts: openTable('accounts'),
    sharedSecrets: openTable('sharedSecrets'),
    unassigned: openTable('unassigned'),
    bodies: openTable('bodies'),
    deliveries: openTable('deliveries'),
    customers: openTable('customers'),
    purchases: openTable('purchases'),
    testPurchases: openTable('testPurchases'),
    purchaseAliases: openTable('purchaseAliases'),
    links: openTable('links'),
    emails: openTable('emails'),
    activity: openTable('activity'),
    jobs: openTable('jobs'),
    releases: openTable('releases'),
    alerts: openTable('alerts'),
    idempotency: openTable('idempotency'),
    sessions: openTable('sessions'),
    proofs: openTable('proofs'),
    refunds: openTable('refunds'),
    rejected: openTable('rejected'),
    rejections: openTable('rejections'),
    dismissals: openTable('dismissals'),
    bulkActions: openTable('bulkActions'),
    contents: openTable('contents'),
  };
}

/** A table that can find rows by their members itself, as a database does with an index. */
export interface SearchableTable<Row> extends Map<string, Row> {
  /** The rows that have all these members, in the order of insertion. */
  where(match: Partial<Row>): Iterable<Row>;
}

/** The rows of a table that have all these members. */
export function rowsWhere<Row extends object>(
  table: Map<string, Row> | SearchableTable<Row>,
  match: Partial<Row>,
): readonly Row[] {
  if ('where' in table) return [...table.where(match)];
  const names = Object.keys(match) as (keyof Row)[];
  return [...table.values()].filter((row) => names.every((name) => row[name] === match[name]));
}

/** Returns a function that restores every table to its present state. It also undoes changes that others make in the meantime. */
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

/** To be called by every change that affects what orders match or deliver: plans that were decided before it are refused. */
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
 * There is one job per kind and subject. A job that is queued twice is due at the earlier of both times, and keeps the higher
 * attempts, which only grow.
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

/** Makes the job that sends an e-mail due later, if it is queued. */
export function delayEmail({ jobs }: Pick<Memory, 'jobs'>, { id }: Pick<EmailRow, 'id'>, until: Date): void {
  const key = `send-email ${id}`;
  const job = jobs.get(key);
  if (job) jobs.set(key, { ...job, startAfter: until });
}

export function jobKey(job: Job): string {
  return `${job.kind} ${subjectOf(job)}`;
}

function subjectOf(job: Job): string {
  if ('release' in job) return `${job.orgId} ${formatRelease(job.release)}`;
  if ('bulkId' in job) return job.bulkId;
  return 'deliveryId' in job ? job.deliveryId : job.emailId;
}

/** Removes an invitation with its e-mail. */
export function removeInvitation({ invitations, emails }: Memory, id: string): boolean {
  emails.delete(id);
  return invitations.delete(id);
}

/** The links of a purchase. */
export function linksOf({ links }: Memory, purchaseId: string): readonly LinkRow[] {
  return rowsWhere(links, { purchaseId });
}

/** The newest link, which decides whether the purchase is revoked; undefined for an unknown purchase. */
export function newestLinkOf(memory: Memory, purchaseId: string): LinkRow | undefined {
  return newestFirst(linksOf(memory, purchaseId))[0];
}

/** Whether the purchase is revoked: its newest link is. */
export function isRevoked(memory: Memory, purchaseId: string): boolean {
  return Boolean(newestLinkOf(memory, purchaseId)?.revokedAt);
}

/** The user with this address, compared as normalized addresses. */
export function findUser({ users }: Memory, address: string): User | undefined {
  return [...users.values()].find(({ email }) => normalizeEmail(email) === normalizeEmail(address));
}

/** The customer with this address, compared as normalized addresses. */
export function findCustomer({ customers }: Memory, orgId: string, address: string): Customer | undefined {
  return rowsWhere(customers, { orgId }).find(
    ({ email }) => normalizeEmail(email) === normalizeEmail(address),
  );
}

/** The purchases of a receipt. */
export function purchasesOf({ purchases }: Memory, receiptId: string): readonly Purchase[] {
  return rowsWhere(purchases, { receiptId });
}

/** The version that was bought. For a purchase from before the first version, the product's live one. */
export function versionOf({ versions, products }: Memory, purchase: Purchase): ProductVersion | undefined {
  const versionId = purchase.versionId ?? products.get(purchase.productId)?.activeVersionId;
  return versionId ? versions.get(versionId) : undefined;
}

/** The version as pages show it. */
export function describeVersion(memory: Memory, purchase: Purchase): DownloadPage['version'] {
  const version = versionOf(memory, purchase);
  return version ? { label: version.version, files: memory.files.get(version.id) ?? [] } : null;
}
