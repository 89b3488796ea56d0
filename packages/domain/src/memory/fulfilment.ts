import { listOrderCandidates } from '../fulfilment/decide-lines.ts';
import { joinNotes } from '../fulfilment/record-deliveries.ts';
import { DEFAULT_RULES } from '../model/connection.ts';
import type { Proof } from '../model/delivery.ts';
import { normalizeEmail, readEmail } from '../model/email-address.ts';
import type { Job } from '../model/job.ts';
import type { Order } from '../model/order.ts';
import type { AddressCorrection, OrderSnapshot, Plan } from '../model/plan.ts';
import { normalizeSlug } from '../model/product.ts';
import type { Purchase } from '../model/purchase.ts';
import { normalizeSku } from '../model/sku-mapping.ts';
import type { DeliveryLog, DeliveryRecording, Fulfilment } from '../ports/fulfilment.ts';
import { raiseAlert } from './alerts.ts';
import { freshLink, freshReceipt } from './fresh-rows.ts';
import { createInMemoryLogPage, describeRow } from './log-page.ts';
import { findCustomer, linksOf, type Memory, newestFirst, queueJobs, rowsWhere } from './memory.ts';
import { isToResolve } from './open-deliveries.ts';
import { addRefunds } from './refunds.ts';

export function createInMemoryDeliveryLog(memory: Memory): DeliveryLog {
  return {
    record: async (recording) => record(memory, recording),
    find: async (orgId, deliveryId) => {
      const row = memory.deliveries.get(deliveryId);
      const body = row && memory.bodies.get(row.bodyId);
      if (row?.orgId !== orgId || body === undefined) return null;
      const { decidedAt: _, heldFor: _held, lines: _lines, isTest: _test, receivedNote, ...delivery } = row;
      return { ...delivery, note: joinNotes(receivedNote, row.note), body };
    },
    explainPending: async (orgId, deliveryId, reason) => {
      const row = memory.deliveries.get(deliveryId);
      if (row?.orgId !== orgId || row.status !== 'pending' || row.decidedAt !== null) return;
      memory.deliveries.set(deliveryId, { ...row, reason });
    },
    addAddress: async (orgId, deliveryId, email) => {
      const row = memory.deliveries.get(deliveryId);
      if (row?.orgId !== orgId || row.orderId === null || row.normalizedEmail !== null) return false;
      if (row.lines.length > 0) return false;
      const added = { addedEmail: email, normalizedEmail: normalizeEmail(email) };
      memory.deliveries.set(deliveryId, { ...row, ...added });
      return true;
    },
    hasReceived: async (orgId, platform) =>
      rowsWhere(memory.deliveries, { orgId, platform }).some(({ isTest }) => isTest !== true),
    list: async (orgId, { status, platform, before, limit }) =>
      rowsWhere(memory.deliveries, { orgId })
        .filter((row) => before === null || row.id < before)
        .filter(
          (row) =>
            (status === null || row.status === status) && (platform === null || row.platform === platform),
        )
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit)
        .map(describeRow),
    show: async (orgId, deliveryId) => {
      const row = memory.deliveries.get(deliveryId);
      return row?.orgId === orgId ? describeRow(row) : null;
    },
    ...createInMemoryLogPage(memory),
  };
}

function record(memory: Memory, recording: DeliveryRecording) {
  const { body, deliveries, jobs, proof, rejectedId, alerts = [], refunds = [] } = recording;
  if (rejectedId !== null && memory.rejected.get(rejectedId)?.orgId !== recording.orgId) return 'gone';
  const reused = proof !== null && useProof(memory, recording, proof);
  if (reused && proof.whenReused.kind === 'refuse') return 'reused';
  const proofNote = reused && proof.whenReused.kind === 'note' ? proof.whenReused.note : null;
  if (rejectedId !== null) memory.rejected.delete(rejectedId);
  memory.bodies.set(body.id, body);
  for (const delivery of deliveries) {
    memory.deliveries.set(delivery.id, {
      ...delivery,
      note: null,
      receivedNote: joinNotes(delivery.note, proofNote),
      heldFor: null,
      attempts: 0,
      decidedAt: null,
      lines: [],
    });
  }
  queueJobs(memory, jobs);
  for (const alert of alerts) raiseAlert(memory, alert);
  addRefunds(memory, recording.orgId, refunds);
  return reused ? 'reused' : 'recorded';
}

/** Whether the proof was used before with another body. */
function useProof({ proofs }: Memory, { deliveries }: DeliveryRecording, proof: Proof): boolean {
  const [entry] = deliveries;
  if (!entry) return false;
  const { connectionId, receivedAt } = entry;
  const { bodySha256 } = proof;
  const key = `${connectionId} ${proof.fingerprint}`;
  const first = proofs.get(key) ?? { connectionId, bodySha256, firstSeenAt: receivedAt };
  proofs.set(key, first);
  return first.bodySha256 !== bodySha256;
}

export function createInMemoryFulfilment(memory: Memory): Fulfilment {
  return {
    loadSnapshot: async (order) => loadSnapshot(memory, order),
    // Nothing awaits between the checks and the changes, so the whole plan is applied in one step.
    commit: async (plan) => {
      const entry = memory.deliveries.get(plan.delivery.id);
      if (entry && entry.attempts !== plan.expectedVersions.attempts) return 'decided-meanwhile';
      if (!holds(memory, plan)) return 'changed-meanwhile';
      apply(memory, plan);
      return 'committed';
    },
  };
}

function loadSnapshot(memory: Memory, order: Order): OrderSnapshot {
  const candidates = listOrderCandidates(order);
  const skus = new Set(candidates.map(({ value }) => normalizeSku(value)));
  const chosen = candidates.flatMap(({ kind, value }) => (kind === 'sku' ? [value] : []));
  const ids = new Set(chosen.map(normalizeSku));
  const slugs = new Set(chosen.map(normalizeSlug));
  const { orgId } = order;
  const mappings = [...skus]
    .flatMap((sku) => rowsWhere(memory.mappings, { orgId, sku }))
    .filter(({ platform }) => platform === null || platform === order.platform)
    .map(({ sku, platform, productId }) => ({ sku, platform, productId }));
  const purchases = loadPurchases(memory, order);
  const named = new Set([...ids, ...[...mappings, ...purchases].map(({ productId }) => productId)]);
  const products = rowsWhere(memory.products, { orgId })
    .filter(({ id, slug }) => named.has(id) || slugs.has(slug))
    .map(({ id, name, slug, status, activeVersionId }) => ({ id, name, slug, status, activeVersionId }));
  const email = readEmail(order.customer.email);
  const customer = email === null ? undefined : findCustomer(memory, order.orgId, email);
  const { rules } = memory.connections.get(order.connectionId) ?? { rules: DEFAULT_RULES };
  return {
    catalogueRevision: String(memory.revisions.get(order.orgId) ?? 0),
    subscriptionExpiresAt: memory.organisations.get(order.orgId)?.subscriptionExpiresAt ?? null,
    defaultCurrency: rules.defaultCurrency ?? memory.organisations.get(order.orgId)?.defaultCurrency ?? null,
    ignoreTestOrders: rules.ignoreTestOrders,
    mappings,
    products,
    customer: customer ? { id: customer.id } : null,
    purchases,
  };
}

function loadPurchases(memory: Memory, order: Order): OrderSnapshot['purchases'] {
  return purchasesOfOrder(memory, order).map(({ id, productId, receiptId, customerId }) => {
    const receipt = receiptId === null ? undefined : memory.emails.get(receiptId);
    const { id: ofReceipt, status, attempts } = receipt ?? {};
    return {
      id,
      productId,
      customer: { id: customerId, corrections: listCorrections(memory, id, customerId) },
      purchaseAliases: rowsWhere(memory.purchaseAliases, { purchaseId: id }).map(({ candidate, sku }) => ({
        candidate,
        sku,
      })),
      receipt:
        ofReceipt !== undefined && status !== undefined && attempts !== undefined
          ? { id: ofReceipt, status, attempts }
          : null,
    };
  });
}

/** When a purchase moves to another customer, its links keep the customer that they were made for. */
function listCorrections(
  memory: Memory,
  purchaseId: string,
  customerId: string,
): readonly AddressCorrection[] {
  const made = [...newestFirst(linksOf(memory, purchaseId))]
    .reverse()
    .map((link) => ({ to: link.customerId ?? customerId, at: link.createdAt }));
  return made
    .slice(1)
    .map((link, index) => ({ from: made[index]?.to ?? link.to, ...link }))
    .filter(({ from, to }) => from !== to);
}

function holds(memory: Memory, plan: Plan): boolean {
  const { catalogueRevision, bought, receipts, status } = plan.expectedVersions;
  const revision = String(memory.revisions.get(plan.orgId) ?? 0);
  if (catalogueRevision !== null && revision !== catalogueRevision) return false;
  if (bought && hasMore(memory, plan.orgId, bought)) return false;
  const entry = memory.deliveries.get(plan.delivery.id);
  if (!entry || (status && entry.status !== status)) return false;
  if (receipts.some(({ id, status }) => memory.emails.get(id)?.status !== status)) return false;
  if (plan.customer && findCustomer(memory, plan.orgId, plan.customer.email)) return false;
  return !plan.purchases.some((wanted) =>
    purchasesOfOrder(memory, wanted).some(({ productId }) => productId === wanted.productId),
  );
}

/** Whether the order has more purchases than the plan expects. */
function hasMore(
  memory: Memory,
  orgId: string,
  { connectionId, orderId, purchaseIds }: NonNullable<Plan['expectedVersions']['bought']>,
): boolean {
  return purchasesOfOrder(memory, { orgId, connectionId, orderId }).some(
    ({ id }) => !purchaseIds.includes(id),
  );
}

function apply(memory: Memory, plan: Plan): void {
  const row = memory.deliveries.get(plan.delivery.id);
  if (row) memory.deliveries.set(row.id, { ...row, ...plan.delivery, attempts: row.attempts + 1 });
  if (plan.customer) memory.customers.set(plan.customer.id, plan.customer);
  if (plan.receipt) {
    memory.emails.set(plan.receipt.id, freshReceipt(plan.receipt, plan.delivery.id));
  }
  for (const purchase of plan.purchases) {
    memory.purchases.set(purchase.id, purchase);
    if (row?.isTest) memory.testPurchases.set(purchase.id, true);
  }
  for (const purchaseAliases of plan.purchaseAliases)
    memory.purchaseAliases.set(Object.values(purchaseAliases).join(' '), purchaseAliases);
  for (const link of plan.links) {
    memory.links.set(link.id, freshLink(link));
  }
  for (const id of plan.resend) {
    const receipt = memory.emails.get(id);
    const now = plan.delivery.decidedAt;
    if (receipt) {
      memory.emails.set(id, {
        ...receipt,
        status: 'pending',
        pendingSince: now,
        attempts: 0,
        nextTryAt: now,
      });
    }
  }
  for (const entry of plan.activity) memory.activity.set(entry.id, { ...entry, orgId: plan.orgId });
  if (plan.alert) raiseAlert(memory, plan.alert);
  for (const kind of ['fulfil-delivery', 'resolve-delivery'])
    memory.jobs.delete(`${kind} ${plan.delivery.id}`);
  queueJobs(memory, [...plan.jobs, ...listSettling(memory, plan)]);
}

function listSettling(memory: Memory, { orgId, resolves, delivery }: Plan): readonly Job[] {
  if (!resolves) return [];
  const { connectionId, orderId } = resolves;
  return rowsWhere(memory.deliveries, { orgId, connectionId, orderId })
    .filter((row) => row.id !== delivery.id && isToResolve(row))
    .map(({ id, attempts }) => ({
      kind: 'resolve-delivery',
      orgId,
      deliveryId: id,
      attempts,
      startAfter: delivery.decidedAt,
    }));
}

function purchasesOfOrder(
  { purchases }: Memory,
  { orgId, connectionId, orderId }: Pick<Purchase, 'orgId' | 'connectionId' | 'orderId'>,
): readonly Purchase[] {
  return rowsWhere(purchases, { orgId, connectionId, orderId });
}
