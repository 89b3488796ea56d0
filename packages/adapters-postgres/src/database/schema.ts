import type {
  ActivityVia,
  DownloadClient,
  EmailKind,
  EmailStatus,
  Language,
  Platform,
  ProductStatus,
  ProductVersionStatus,
  PurchaseAlias,
  PurchaseSource,
  SentReceipt,
} from '@handover/domain';
import type { ColumnType, Generated, GeneratedAlways, Kysely, Transaction } from 'kysely';
import type { EmailDetails } from '../stores/writes/email/prepare-email.ts';
import type { AccessTables } from './access-tables.ts';
import type { LogTables } from './log-tables.ts';

/** Connections of a pool, or a transaction. */
export type Db = Kysely<Schema>;

/** An open transaction. */
export type Trx = Transaction<Schema>;

/** The tables as Kysely sees them. Numbers that may exceed a double are read as text. */
export interface Schema extends AccessTables, LogTables {
  organisations: {
    id: string;
    name: string;
    email: string;
    alert_email: string | null;
    /** The currency of orders that name none. */
    currency: string | null;
    language: Generated<Language>;
    time_zone: Generated<string>;
    subscription_expires_at: Date | null;
    created_at: Date;
  };
  /** `key`: SHA-256 of the throttled subject. */
  throttles: { key: Buffer; tries: number; window_ends_at: Date };
  mail_counts: { org_id: string; hour: Date; sent: number };
  catalogues: { org_id: string; revision: ColumnType<string, number | undefined, number> };
  products: {
    org_id: string;
    id: string;
    name: string;
    slug: string;
    description: string | null;
    status: ProductStatus;
    active_version_id: string | null;
    created_at: Date;
    updated_at: Date;
  };
  product_versions: {
    org_id: string;
    id: string;
    product_id: string;
    version: string;
    status: ProductVersionStatus;
    created_at: Date;
    live_since: Generated<Date | null>;
  };
  version_files: {
    org_id: string;
    version_id: string;
    name: string;
    size: ColumnType<string, number>;
    sha256: string;
    display_name: string | null;
    position: Generated<number>;
  };
  connections: {
    org_id: string;
    id: string;
    platform: Platform;
    name: string;
    default_currency: string | null;
    strict: Generated<boolean>;
    ignore_test_orders: Generated<boolean>;
    created_at: Date;
  };
  connection_secrets: {
    org_id: string;
    id: string;
    connection_id: string;
    sealed: string;
    is_short: Generated<boolean>;
    created_at: Date;
    expires_at: Date | null;
  };
  shared_secrets: { id: string; sealed: string; created_at: Date; expires_at: Date | null };
  payment_accounts: { account: string; org_id: string; connection_id: string; created_at: Date };
  dismissals: {
    org_id: string;
    subject: string;
    seen_at: Date;
    seen_count: number;
    reason: string;
    dismissed_by: string;
    at: Date;
  };
  unassigned_deliveries: {
    id: string;
    account: string | null;
    org_hint: string | null;
    order_id: string;
    order_number: string | null;
    email_normalized: string | null;
    problem: string | null;
    reason: string;
    received_at: Date;
    bytes: ColumnType<Buffer, Uint8Array>;
    headers: ColumnType<Readonly<Record<string, string>>, string>;
  };
  /** `release`: as `formatRelease` writes it; `after_entry`: the last entry whose job was queued. */
  releases: { org_id: string; release: string; after_entry: Generated<string> };
  bulk_actions: {
    org_id: string;
    id: string;
    action: string;
    query: string | null;
    total: number;
    place_at: Date;
    place_id: string;
    seen: number;
    done: number;
    before: number;
    revoked: number;
    actor: string | null;
    via: string;
    via_detail: string | null;
    asked_at: Date;
    ended_at: Date | null;
    cancelled_by: string | null;
  };
  removable_contents: {
    org_id: string;
    sha256: string;
    due_at: Date | null;
    claimed_at: Date | null;
  };
  /** `platform` is '' for all platforms, because a key cannot contain nulls. */
  sku_mappings: { org_id: string; sku: string; platform: Platform | ''; product_id: string | null };
  customers: {
    org_id: string;
    id: string;
    email: string;
    email_normalized: string;
    name: string;
    search_words: Generated<string>;
    created_at: Date;
  };
  outgoing_emails: {
    org_id: string;
    id: string;
    kind: EmailKind;
    status: Generated<EmailStatus>;
    attempts: Generated<number>;
    postponed: Generated<boolean>;
    last_answer: string | null;
    last_answer_at: Date | null;
    pending_since: Date;
    next_try_at: Date;
    claim_id: string | null;
    claimed_until: Date | null;
    sent_at: Date | null;
    /** Of a receipt that was sent, what its mail said. */
    sent_content: ColumnType<SentReceipt | null, string | null, string | null>;
    created_at: Date;
    /** The buyer's, for receipts and new links, if it is known. */
    language: Language | null;
    /** Only for receipts, like the next three columns. */
    customer_id: string | null;
    connection_id: string | null;
    order_id: string | null;
    order_number: string | null;
    /** The delivery that bought what a receipt is for. */
    delivery_id: string | null;
    /** Its own id, in a column that is removed with the invitation. */
    invitation_id: string | null;
    /** The subject of a request for new links: a purchase, or a normalized address. For alerts: see `COLLECTING`. */
    subject: string | null;
    details: ColumnType<EmailDetails | null, string | null, string | null>;
  };
  purchases: {
    org_id: string;
    id: string;
    customer_id: string;
    product_id: string;
    version_id: string | null;
    amount: string;
    currency: string | null;
    payment_method: string;
    source: PurchaseSource;
    connection_id: string | null;
    order_id: string | null;
    order_number: string | null;
    receipt_id: string | null;
    is_test: Generated<boolean>;
    created_at: Date;
  };
  purchase_aliases: {
    org_id: string;
    purchase_id: string;
    candidate: PurchaseAlias['candidate'];
    sku: string;
  };
  download_links: {
    org_id: string;
    id: string;
    purchase_id: string;
    created_at: Date;
    expires_at: Date;
    opened_count: Generated<number>;
    first_opened_at: Date | null;
    last_opened_at: Date | null;
    used_at: Date | null;
    revoked_at: Date | null;
    revocation_id: string | null;
    /** Whom it was made for, where its purchase has moved to another customer since. */
    customer_id: string | null;
  };
  idempotency_keys: {
    org_id: string;
    key: string;
    fingerprint: string;
    purchase_id: string;
    created_at: Date;
  };
  download_sessions: {
    org_id: string;
    id: string;
    link_id: string;
    started_at: Date;
    last_byte_at: Date;
    bytes: ColumnType<string, number | undefined, number>;
    completed_at: Date | null;
    client: DownloadClient | null;
    product_id: string;
    sent_whole: boolean | null;
    progress: GeneratedAlways<string>;
  };
  /** `sent`: a multirange of the bytes that were sent. */
  download_session_files: {
    org_id: string;
    session_id: string;
    version: string;
    name: string;
    size: ColumnType<string, number>;
    sent: string;
  };
  activity: {
    org_id: string;
    id: string;
    at: Date;
    kind: string;
    subject_id: string;
    summary: string;
    actor: string | null;
    via: ActivityVia;
    via_detail: string | null;
  };
  /** `subject`: the id of the subject. Without an organisation, `org_id` is the nil UUID. */
  jobs: {
    kind: string;
    subject: string;
    org_id: string;
    lane: string;
    attempts: number;
    failures: Generated<number>;
    due_at: Date;
    again_at: Date | null;
    lease_id: string | null;
    lease_until: Date | null;
  };
  leases: { name: string; due_at: Date; holder: string | null };
}
