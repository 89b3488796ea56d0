import { type CommitAnswer, joinNotes, normalizeEmail, type Plan } from '@handover/domain';
import { type Database, isUniqueConflict } from './database.ts';
import { addAlert } from './deliveries.ts';
import { queueJob, removeDecisionJobs } from './jobs.ts';

/** Writes the whole plan or nothing. */
export function commit(database: Database, plan: Plan): CommitAnswer {
  try {
    return database.inTransaction(() => {
      const changed = findChange(database, plan);
      if (changed) return changed;
      addSale(database, plan);
      resendReceipts(database, plan);
      decideEntry(database, plan);
      completeOtherEntries(database, plan);
      for (const job of plan.jobs) queueJob(database, job);
      if (plan.alert) addAlert(database, plan.alert);
      for (const { id, ...entry } of plan.activity)
        database.run('insert into activity values (:orgId, :id, :entry)', {
          orgId: plan.orgId,
          id,
          entry: JSON.stringify(entry),
        });
      return 'committed';
    });
  } catch (error) {
    // Another transaction added one of its purchases, or its customer.
    if (isUniqueConflict(error)) return 'changed-meanwhile';
    throw error;
  }
}

/** Why the plan must not be committed, because its facts have changed; null if it may. */
function findChange(database: Database, { orgId, delivery, expectedVersions }: Plan): CommitAnswer | null {
  const { attempts, status, catalogueRevision, bought, receipts } = expectedVersions;
  const entry = database.get<{ attempts: number; status: string }>(
    'select attempts, status from deliveries where org_id = :orgId and id = :id',
    { orgId, id: delivery.id },
  );
  if (entry?.attempts !== attempts) return 'decided-meanwhile';
  if (status !== undefined && entry.status !== status) return 'changed-meanwhile';
  if (catalogueRevision !== null) {
    const shop = database.get<{ revision: number }>('select revision from shops where org_id = :orgId', {
      orgId,
    });
    if (String(shop?.revision ?? 0) !== catalogueRevision) return 'changed-meanwhile';
  }
  if (bought) {
    const { connectionId, orderId, purchaseIds } = bought;
    const now = database.all<{ id: string }>(
      `select id from purchases where org_id = :orgId and connection_id = :connectionId and order_id = :orderId`,
      { orgId, connectionId, orderId },
    );
    const known = new Set(purchaseIds);
    if (now.length !== known.size || now.some(({ id }) => !known.has(id))) return 'changed-meanwhile';
  }
  const unchanged = database.all(
    `select 1 from receipts r join json_each(:receipts) e
       on r.id = e.value ->> 'id' and r.status = e.value ->> 'status'
     where r.org_id = :orgId`,
    { orgId, receipts: JSON.stringify(receipts) },
  );
  return unchanged.length === receipts.length ? null : 'changed-meanwhile';
}

function addSale(
  database: Database,
  { orgId, customer, receipt, purchases, links, purchaseAliases }: Plan,
): void {
  if (customer)
    database.run('insert into customers values (:orgId, :id, :email, :normalizedEmail, :name, :createdAt)', {
      ...customer,
      normalizedEmail: normalizeEmail(customer.email),
      createdAt: customer.createdAt.getTime(),
    });
  if (receipt)
    database.run(
      `insert into receipts (org_id, id, customer_id, language, created_at, pending_since, due_at)
       values (:orgId, :id, :customerId, :language, :createdAt, :createdAt, :createdAt)`,
      { ...receipt, createdAt: receipt.createdAt.getTime() },
    );
  for (const purchase of purchases)
    database.run(
      `insert into purchases values (:orgId, :id, :customerId, :productId, :versionId, :amount, :currency,
         :paymentMethod, :source, :connectionId, :orderId, :orderNumber, :receiptId, :createdAt)`,
      { ...purchase, createdAt: purchase.createdAt.getTime() },
    );
  for (const { expiresAt, createdAt, ...link } of links)
    database.run('insert into links values (:orgId, :id, :purchaseId, :expiresAt, :createdAt)', {
      ...link,
      expiresAt: expiresAt.getTime(),
      createdAt: createdAt.getTime(),
    });
  for (const alias of purchaseAliases)
    database.run(
      'insert into purchase_aliases values (:orgId, :purchaseId, :candidate, :sku) on conflict do nothing',
      {
        orgId,
        ...alias,
      },
    );
}

function resendReceipts(database: Database, { orgId, resend, delivery }: Plan): void {
  database.run(
    `update receipts set status = 'pending', attempts = 0, pending_since = :now, due_at = :now
     where org_id = :orgId and status <> 'sent' and id in (select value from json_each(:resend))`,
    { orgId, now: delivery.decidedAt.getTime(), resend: JSON.stringify(resend) },
  );
}

function decideEntry(database: Database, { orgId, delivery }: Plan): void {
  const { id, status, heldFor, reason, lines } = delivery;
  const entry = database.get<{ arrival_note: string | null }>(
    'select arrival_note from deliveries where org_id = :orgId and id = :id',
    { orgId, id },
  );
  const note = joinNotes(entry?.arrival_note ?? null, delivery.note);
  database.run(
    `update deliveries set status = :status, held_for = :heldFor, reason = :reason, note = :note, attempts = attempts + 1
     where org_id = :orgId and id = :id`,
    { orgId, id, status, heldFor, reason, note },
  );
  database.run('delete from delivery_lines where org_id = :orgId and delivery_id = :id', { orgId, id });
  for (const line of lines)
    database.run(
      `insert into delivery_lines values (:orgId, :deliveryId, :position, :sku, :candidate, :outcome, :reason,
         :productId, :purchaseId)`,
      { orgId, deliveryId: id, ...line },
    );
  removeDecisionJobs(database, orgId, id);
}

/** Queues the order's other entries with an open line, which this delivery may resolve. */
function completeOtherEntries(database: Database, { orgId, delivery, resolves }: Plan): void {
  if (!resolves) return;
  const entries = database.all<{ id: string; attempts: number }>(
    `select id, attempts from deliveries d
     where org_id = :orgId and connection_id = :connectionId and order_id = :orderId and id <> :id
       and exists (select 1 from delivery_lines l
         where l.org_id = d.org_id and l.delivery_id = d.id and l.outcome in ('held', 'unmatched'))`,
    { orgId, id: delivery.id, ...resolves },
  );
  for (const { id, attempts } of entries)
    queueJob(database, {
      kind: 'resolve-delivery',
      orgId,
      deliveryId: id,
      attempts,
      startAfter: delivery.decidedAt,
    });
}
