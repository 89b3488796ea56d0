import {
  type DeliveryLine,
  evaluateDelivery,
  type LineOutcome,
  MAX_UNREADABLE_MS,
  type Order,
  type Plan,
  readEmail,
  type Stores,
} from '@handover/domain';
import { type Memory, transactionsOf } from '@handover/domain/memory';
import { createOrderReader } from '@handover/platform-contract';
import { rememberByKey } from '../kernel/remember-by-key.ts';
import { nameBought, skuOf } from '../world/ledger.ts';
import type { World } from '../world/open-world.ts';
import { PLATFORM_WEBHOOKS } from '../world/platforms.ts';

/**
 * The stores, with fulfilment watched: each committed plan must be the one that the facts of that moment require.
 * Other code evaluates them here again, independently of the loaded snapshot.
 */
export function watchFulfilment(world: World, stores: Stores): Stores {
  const watched = watchCommits(world, stores);
  // A transaction may roll back what it wrote, so nothing is evaluated before it has ended.
  return { ...watched, fulfilment: transactionsOf(world.memory).isolate(watched.fulfilment) };
}

function watchCommits(world: World, stores: Stores): Stores {
  const { deliveries, fulfilment } = stores;
  const watchWithin = rememberByKey((within: Stores) => watchCommits(world, within));
  return {
    ...stores,
    deliveries: {
      ...deliveries,
      explainPending: (...given) => {
        world.check(UNREADABLE_RULE, null);
        return deliveries.explainPending(...given);
      },
    },
    fulfilment: {
      loadSnapshot: (order) => fulfilment.loadSnapshot(order),
      commit: async (plan) => {
        const order = readOrder(world.memory, plan);
        const expected = order ? evaluateNow(world, order, plan.delivery.decidedAt) : null;
        // Applied before any other task continues.
        const committing = fulfilment.commit(plan);
        const found = lookAt(world.memory, plan);
        const answer = await committing;
        if (answer !== 'committed' || !order) return answer;
        if (givesUp(plan)) {
          world.check(UNREADABLE_RULE, describeHaste(world.memory, plan));
          return answer;
        }
        if (!expected) return answer;
        world.check('a plan is what its facts ask for', null);
        recordSales(world, order, expected.lines);
        expectSame('the outcomes of the lines', outcomesOf(plan.delivery.lines), outcomesOf(expected.lines));
        world.check('the status of an entry is what its lines and receipts say', null);
        expectSame('the status of the entry', found.status, expected.status ?? found.byItsLines);
        return answer;
      },
    },
    inTransaction: (work) => stores.inTransaction((within) => work(watchWithin(within))),
  };

  function expectSame(what: string, found: unknown, wanted: unknown): void {
    if (found !== wanted) world.failure ??= new Error(`Expected ${what} to be ${wanted}, not ${found}.`);
  }
}

const UNREADABLE_RULE = 'an order that one process cannot read is not given up for a day';

/** Every other plan depends on the catalogue. */
function givesUp({ expectedVersions }: Plan): boolean {
  return expectedVersions.catalogueRevision === null;
}

/** What is wrong with giving up a readable order. */
function describeHaste(memory: Memory, { delivery: { id, decidedAt } }: Plan): string | null {
  const waited = decidedAt.getTime() - (memory.deliveries.get(id)?.receivedAt.getTime() ?? 0);
  return waited < MAX_UNREADABLE_MS ? `${id} was given up after ${waited} ms` : null;
}

/** The order of the plan, read from the bytes that its entry was recorded with. */
function readOrder(memory: Memory, plan: Plan): Order | null {
  const entry = memory.deliveries.get(plan.delivery.id);
  const body = entry && memory.bodies.get(entry.bodyId);
  return entry && body ? ORDERS.read({ ...entry, body }) : null;
}

const ORDERS = createOrderReader(PLATFORM_WEBHOOKS);

interface ExpectedLine {
  readonly outcome: LineOutcome;
  readonly sale?: string;
}

function evaluateNow(
  world: World,
  order: Order,
  now: Date,
): { readonly lines: readonly ExpectedLine[]; readonly status: 'held' | null } | null {
  const { memory } = world;
  if (!hasBuyer(memory, order)) return null;
  const current = order.lines.map((line) => evaluateLine(memory, order, skuOf(line)));
  const former = order.lines.map((line) => listFormer(world, order, skuOf(line)));
  const lines = current.map((line, at): ExpectedLine => {
    const [sale] = former[at] ?? [];
    const isUnknown = line.outcome === 'unmatched' || line.outcome === 'not-ours';
    return isUnknown && sale !== undefined ? { outcome: 'already-delivered', sale } : line;
  });
  const isSold = lines.every(({ outcome }) => outcome === 'already-delivered');
  const expiresAt = memory.organisations.get(order.orgId)?.subscriptionExpiresAt ?? null;
  if (!isSold && expiresAt !== null && expiresAt <= now) {
    return { status: 'held', lines: order.lines.map(() => ({ outcome: 'held' })) };
  }
  const shown = new Set(lines.map(({ outcome, sale }) => (outcome === 'held' ? '' : sale)));
  const rest = [...new Set(former.flat())].filter((sale) => !shown.has(sale));
  return {
    status: null,
    lines: [...lines, ...rest.map((sale): ExpectedLine => ({ outcome: 'already-delivered', sale }))],
  };
}

/** By its address, or because something of the order was sold before. */
function hasBuyer(memory: Memory, { connectionId, orderId, customer }: Order): boolean {
  const sold = [...memory.purchases.values()];
  return (
    readEmail(customer.email) !== null ||
    sold.some((one) => one.connectionId === connectionId && one.orderId === orderId)
  );
}

function evaluateLine(memory: Memory, order: Order, sku: string): ExpectedLine {
  const mapping =
    memory.mappings.get(`${order.orgId} ${order.platform} ${sku}`) ??
    memory.mappings.get(`${order.orgId}  ${sku}`);
  if (mapping?.productId === null) return { outcome: 'not-ours' };
  const product = [...memory.products.values()].find(
    ({ id, slug, orgId }) => orgId === order.orgId && (mapping ? id === mapping.productId : slug === sku),
  );
  if (!product) return { outcome: 'unmatched' };
  const sale = nameBought({ ...order, productId: product.id });
  if ([...memory.purchases.values()].some((purchase) => nameBought(purchase) === sale)) {
    return { outcome: 'already-delivered', sale };
  }
  const isDeliverable = product.status !== 'draft' && product.activeVersionId !== null;
  return { outcome: isDeliverable ? 'delivered' : 'held', sale };
}

/** What was sold for the SKU in this order, whatever the SKU means now. */
function listFormer({ memory, ledger }: World, order: Order, sku: string): readonly string[] {
  return [...memory.purchases.values()]
    .map(nameBought)
    .filter((sale) => ledger.purchaseAliases.has(namePurchaseAliases(order, sku, sale)));
}

function recordSales({ ledger }: World, order: Order, lines: readonly ExpectedLine[]): void {
  for (const { outcome, sale } of lines) if (outcome === 'delivered' && sale) ledger.due.add(sale);
  for (const [at, line] of order.lines.entries()) {
    const { outcome, sale } = lines[at] ?? {};
    if (sale && outcome !== 'held') ledger.purchaseAliases.add(namePurchaseAliases(order, skuOf(line), sale));
  }
}

function namePurchaseAliases({ connectionId, orderId }: Order, sku: string, sale: string): string {
  return `${connectionId} ${orderId} ${sku} ${sale}`;
}

/** The status of the entry, and the status that its lines and their receipts require. */
function lookAt(memory: Memory, plan: Plan) {
  const entry = memory.deliveries.get(plan.delivery.id);
  const lines = entry?.lines ?? [];
  const receipts = lines.flatMap(({ purchaseId }) => {
    const receiptId = purchaseId && memory.purchases.get(purchaseId)?.receiptId;
    const receipt = receiptId ? memory.emails.get(receiptId) : undefined;
    return receipt ? [receipt.status] : [];
  });
  return {
    status: entry?.status,
    byItsLines: evaluateDelivery({ outcomes: lines.map(({ outcome }) => outcome), receipts }),
  };
}

function outcomesOf(lines: readonly Pick<DeliveryLine, 'outcome'>[]): string {
  return lines.map(({ outcome }) => outcome).join(', ');
}
