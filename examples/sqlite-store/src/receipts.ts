import { randomUUID } from 'node:crypto';
import {
  alertOfRefusal,
  CLAIM_LASTS_MS,
  type ClaimEnd,
  type EmailClaim,
  type EmailOutcome,
  type Language,
  linkExpiry,
  type PendingReceipt,
  type PendingReceiptItem,
} from '@handover/domain';
import { type Database, toDate } from './database.ts';
import { addAlert } from './deliveries.ts';
import { queueJob } from './jobs.ts';

export function claim(database: Database, orgId: string, receiptId: string, now: Date): EmailClaim {
  return database.inTransaction(() => {
    const receipt = findPending(database, orgId, receiptId);
    if (!receipt) return { kind: 'not-pending' };
    const freeAt = Math.max(receipt.due_at, receipt.claimed_until ?? 0);
    if (freeAt > now.getTime()) return { kind: 'not-now', at: toDate(freeAt) };
    const claimId = randomUUID();
    database.run(
      `update receipts set claim_id = :claimId, claimed_until = :until where org_id = :orgId and id = :receiptId`,
      { orgId, receiptId, claimId, until: now.getTime() + CLAIM_LASTS_MS },
    );
    return { kind: 'claimed', claimId, email: loadReceipt(database, receipt, now) };
  });
}

export function complete(
  database: Database,
  orgId: string,
  receiptId: string,
  claimId: string,
  outcome: EmailOutcome,
): ClaimEnd {
  return database.inTransaction(() => {
    if (!endClaim(database, { orgId, receiptId, claimId }, outcome)) return 'not-held';
    if (outcome.kind === 'sent') completeEntries(database, orgId, receiptId);
    else {
      if (outcome.kind === 'refused') alertOf(database, orgId, receiptId, outcome);
      explainEntries(database, orgId, receiptId, outcome);
    }
    if ('nextTryAt' in outcome)
      queueJob(database, {
        kind: 'send-email',
        orgId,
        emailId: receiptId,
        emailKind: 'receipt',
        startAfter: outcome.nextTryAt,
      });
    return 'completed';
  });
}

export function release(database: Database, orgId: string, receiptId: string, claimId: string): void {
  database.run(
    `update receipts set claim_id = null, claimed_until = null
     where org_id = :orgId and id = :receiptId and claim_id = :claimId`,
    { orgId, receiptId, claimId },
  );
}

export function findExpiry(database: Database, orgId: string, linkId: string): Date | null {
  const link = database.get<{ expires_at: number }>(
    'select expires_at from links where org_id = :orgId and id = :linkId',
    { orgId, linkId },
  );
  return link ? toDate(link.expires_at) : null;
}

function findPending(database: Database, orgId: string, receiptId: string): ReceiptRow | undefined {
  return database.get<ReceiptRow>(
    `select r.id, r.org_id, r.created_at, r.pending_since, r.attempts, r.due_at, r.claimed_until, r.language,
       s.name as shop_name, s.email as shop_email, c.name, c.email
     from receipts r join shops s on s.org_id = r.org_id
       join customers c on c.org_id = r.org_id and c.id = r.customer_id
     where r.org_id = :orgId and r.id = :receiptId and r.status = 'pending'`,
    { orgId, receiptId },
  );
}

/** Loads the content of the mail, and renews the 48 hours of its links. */
function loadReceipt(database: Database, receipt: ReceiptRow, now: Date): PendingReceipt {
  const items = database.all<ItemRow>(
    `select p.order_number, d.name as productName, v.label as version,
       coalesce(v.file_count, 0) as fileCount, coalesce(v.total_size, 0) as totalSize, p.amount, p.currency,
       (select l.id from links l where l.org_id = p.org_id and l.purchase_id = p.id
        order by l.created_at desc, l.id desc limit 1) as linkId
     from purchases p join products d on d.org_id = p.org_id and d.id = p.product_id
       left join versions v on v.org_id = p.org_id and v.id = coalesce(p.version_id, d.version_id)
     where p.org_id = :orgId and p.receipt_id = :receiptId order by p.id`,
    { orgId: receipt.org_id, receiptId: receipt.id },
  );
  database.run(
    `update links set expires_at = :expiresAt where org_id = :orgId and id in (select value from json_each(:linkIds))`,
    {
      orgId: receipt.org_id,
      expiresAt: linkExpiry(now).getTime(),
      linkIds: JSON.stringify(items.map(({ linkId }) => linkId)),
    },
  );
  return {
    kind: 'receipt',
    id: receipt.id,
    orgId: receipt.org_id,
    pendingSince: toDate(receipt.pending_since),
    attempts: receipt.attempts,
    orderedAt: toDate(receipt.created_at),
    language: receipt.language,
    organisation: { name: receipt.shop_name, email: receipt.shop_email },
    customer: { email: receipt.email, name: receipt.name },
    orderNumber: items[0]?.order_number ?? null,
    items: items.map(({ order_number: _, ...item }) => item),
  };
}

/** Returns false if the claim was not held any more. */
function endClaim(
  database: Database,
  claimed: { readonly orgId: string; readonly receiptId: string; readonly claimId: string },
  outcome: EmailOutcome,
): boolean {
  const isHeld = `org_id = :orgId and id = :receiptId and claim_id = :claimId and status = 'pending'`;
  const ended = 'claim_id = null, claimed_until = null';
  if (outcome.kind === 'sent' || outcome.kind === 'refused')
    return (
      database.run(`update receipts set status = :status, ${ended} where ${isHeld}`, {
        ...claimed,
        status: outcome.kind,
      }) === 1
    );
  const dueAt = outcome.nextTryAt.getTime();
  const change = outcome.kind === 'try-again' ? 'attempts = attempts + 1' : 'pending_since = :dueAt';
  return (
    database.run(`update receipts set ${change}, due_at = :dueAt, ${ended} where ${isHeld}`, {
      ...claimed,
      dueAt,
    }) === 1
  );
}

/** The condition for entries with a purchase that waits for the receipt. */
const WAITS_FOR_IT = `exists (
  select 1 from delivery_lines l join purchases p on p.org_id = l.org_id and p.id = l.purchase_id
  where l.org_id = d.org_id and l.delivery_id = d.id and p.receipt_id = :receiptId)`;
const IS_OPEN = `d.status = 'pending' and d.attempts > 0`;

/**
 * Completes the entries all of whose receipts are sent. An entry that names a purchase can only have the status `error`
 * because of its receipt.
 */
function completeEntries(database: Database, orgId: string, receiptId: string): void {
  database.run(
    `update deliveries as d set status = 'success', reason = null
     where d.org_id = :orgId and d.attempts > 0 and d.status in ('pending', 'error')
       and ${WAITS_FOR_IT}
       and not exists (
         select 1 from delivery_lines l join purchases p on p.org_id = l.org_id and p.id = l.purchase_id
           join receipts r on r.org_id = p.org_id and r.id = p.receipt_id
         where l.org_id = d.org_id and l.delivery_id = d.id and r.status <> 'sent')`,
    { orgId, receiptId },
  );
}

function explainEntries(
  database: Database,
  orgId: string,
  receiptId: string,
  { kind, reason }: Exclude<EmailOutcome, { kind: 'sent' }>,
): void {
  const change = kind === 'refused' ? `, status = 'error'` : '';
  database.run(
    `update deliveries as d set reason = :reason${change} where d.org_id = :orgId and ${IS_OPEN} and ${WAITS_FOR_IT}`,
    { orgId, receiptId, reason },
  );
}

function alertOf(
  database: Database,
  orgId: string,
  receiptId: string,
  { reason, at }: Extract<EmailOutcome, { kind: 'refused' }>,
): void {
  const order = database.get<OrderRow>(
    `select p.connection_id as connectionId, p.order_id as orderId, p.order_number as orderNumber,
       c.email as customerEmail,
       (select l.delivery_id from delivery_lines l
        where l.org_id = p.org_id and l.purchase_id = p.id order by l.delivery_id limit 1) as deliveryId,
       p.source as platform
     from purchases p join customers c on c.org_id = p.org_id and c.id = p.customer_id
     where p.org_id = :orgId and p.receipt_id = :receiptId order by p.id limit 1`,
    { orgId, receiptId },
  );
  if (!order) return;
  const { connectionId, orderId, ...details } = order;
  addAlert(
    database,
    alertOfRefusal({ orgId, id: receiptId, connectionId, orderId }, { ...details, reason, at }),
  );
}

interface ReceiptRow {
  readonly id: string;
  readonly org_id: string;
  readonly created_at: number;
  readonly pending_since: number;
  readonly attempts: number;
  readonly due_at: number;
  readonly claimed_until: number | null;
  readonly language: Language | null;
  readonly shop_name: string;
  readonly shop_email: string;
  readonly name: string;
  readonly email: string;
}

interface ItemRow extends PendingReceiptItem {
  readonly order_number: string | null;
}

interface OrderRow {
  readonly connectionId: string | null;
  readonly orderId: string | null;
  readonly orderNumber: string | null;
  readonly customerEmail: string;
  readonly deliveryId: string | null;
  readonly platform: string;
}
