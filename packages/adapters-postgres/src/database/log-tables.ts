import type {
  AlertCause,
  DeliveryStatus,
  HeldFor,
  LineOutcome,
  Platform,
  PurchaseAlias,
  Refund,
} from '@handover/domain';
import type { ColumnType, Generated } from 'kysely';

/** The tables of the webhook log and of alerts. */
export interface LogTables {
  /** Partitioned by week (`body-weeks.ts`). A body that was pruned is absent. */
  delivery_bodies: {
    org_id: string;
    id: string;
    bytes: ColumnType<Buffer, Uint8Array>;
    headers: ColumnType<Readonly<Record<string, string>>, string>;
    received_at: Date | null;
  };
  deliveries: {
    org_id: string;
    id: string;
    platform: Platform;
    connection_id: string;
    body_id: string;
    order_id: string | null;
    order_number: string | null;
    email_normalized: string | null;
    received_at: Date;
    status: DeliveryStatus;
    reason: string | null;
    note: string | null;
    attempts: Generated<number>;
    decided_at: Date | null;
    held_for: HeldFor | null;
    received_note: string | null;
    trace_context: string | null;
    added_email: string | null;
    is_test: Generated<boolean>;
  };
  delivery_lines: {
    org_id: string;
    delivery_id: string;
    position: number;
    sku: string;
    outcome: LineOutcome;
    reason: string | null;
    product_id: string | null;
    purchase_id: string | null;
    candidate: PurchaseAlias['candidate'] | null;
    /** The best candidate, normalized, on unmatched lines that have one. The platform is in the next column. */
    sku_key: string | null;
    platform: Platform | null;
  };
  used_proofs: {
    org_id: string;
    connection_id: string;
    fingerprint: string;
    body_sha256: string;
    first_seen_at: Date;
  };
  refunds: {
    org_id: string;
    connection_id: string;
    named_by: Refund['namedBy'];
    order_name: string;
    delivery_id: string;
    at: Date;
  };
  rejection_counts: {
    org_id: string;
    platform: Platform;
    count: ColumnType<string, number>;
    last_at: Date;
    last_reason: string;
  };
  rejected_deliveries: {
    org_id: string;
    id: string;
    platform: Platform;
    received_at: Date;
    source: string;
    reason: string;
    bytes: ColumnType<Buffer, Uint8Array>;
    headers: ColumnType<Readonly<Record<string, string>>, string>;
    secret_fingerprint: string | null;
    order_id: string | null;
    order_number: string | null;
    email_normalized: string | null;
    is_genuine: boolean | null;
  };
  alerts: {
    org_id: string;
    about: string;
    cause: AlertCause;
    mail_id: string | null;
    subject_id: string | null;
    delivery_id: string | null;
    platform: Platform | null;
    order_number: string | null;
    customer_email: string | null;
    reason: string;
    at: Date;
  };
}
