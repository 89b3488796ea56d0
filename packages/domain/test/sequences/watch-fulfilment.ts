import type { DeliveryLine, Fulfilment, LineOutcome, Order, Plan } from '@handover/domain';
import { evaluateDelivery, readEmail } from '@handover/domain';
import type { Pause } from './actions.ts';
import { nameSale, type World } from './world.ts';

/**
 * The fulfilment of one order, watched: whenever a plan is committed, it must be the one that the facts of that very
 * moment ask for. Other code evaluates them here again, independently of the loaded snapshot.
 */
export function watchFulfilment(world: World, order: Order, pause: Pause): Fulfilment {
  const { fulfilment } = world.stores;
  return {
    loadSnapshot: async (asked) => {
      await pause();
      const known = await fulfilment.loadSnapshot(asked);
      await pause();
      return known;
    },
    commit: async (plan) => {
      const expected = evaluateNow(world, order);
      const committing = fulfilment.commit(plan);
      // The store in memory has done its work by now; nothing came between the two looks.
      const found = lookAt(world, plan);
      const answer = await committing;
      if (answer !== 'committed') return answer;
      for (const { sale } of expected.lines.filter(({ outcome }) => outcome === 'delivered')) {
        if (sale) world.due.add(sale);
      }
      for (const [at, { title }] of order.lines.entries()) {
        const { outcome, sale } = expected.lines[at] ?? {};
        if (sale && outcome !== 'held')
          world.purchaseAliases.add(namePurchaseAliases(order, title ?? '', sale));
      }
      expectSame('the outcomes of the lines', outcomesOf(plan.delivery.lines), outcomesOf(expected.lines));
      expectSame('the status of the entry', found.status, expected.status ?? found.evaluated);
      return answer;
    },
  };
}

interface ExpectedLine {
  readonly outcome: LineOutcome;
  readonly sale?: string;
}

function evaluateNow(
  world: World,
  order: Order,
): { readonly lines: readonly ExpectedLine[]; readonly status: 'held' | 'error' | null } {
  const expiresAt = world.memory.organisations.get(world.orgId)?.subscriptionExpiresAt ?? null;
  const evaluated = order.lines.map(({ title }) => classifyLine(world, order, title ?? ''));
  const former = order.lines.map(({ title }) => listFormer(world, order, title ?? ''));
  const lines = evaluated.map((line, at): ExpectedLine => {
    const [sale] = former[at] ?? [];
    const isUnknown = line.outcome === 'unmatched' || line.outcome === 'not-ours';
    return isUnknown && sale ? { outcome: 'already-delivered', sale } : line;
  });
  const isSold = lines.length > 0 && lines.every(({ outcome }) => outcome === 'already-delivered');
  if (!isSold && expiresAt !== null && expiresAt <= world.clock.now()) {
    return { status: 'held', lines: order.lines.map(() => ({ outcome: 'held' })) };
  }
  if (!hasBuyer(world, order)) return { status: 'error', lines: [] };
  const shown = new Set(lines.map(({ outcome, sale }) => (outcome === 'held' ? '' : sale)));
  const rest = [...new Set(former.flat())].filter((sale) => !shown.has(sale));
  return {
    status: null,
    lines: [...lines, ...rest.map((sale) => ({ outcome: 'already-delivered', sale }) as const)],
  };
}

/** By its address, or because something of the order was sold before. */
function hasBuyer({ memory }: World, { connectionId, orderId, customer }: Order): boolean {
  const sold = [...memory.purchases.values()];
  return (
    readEmail(customer.email) !== null ||
    sold.some((one) => one.connectionId === connectionId && one.orderId === orderId)
  );
}

/** What was sold for the SKU in this order, whatever the SKU stands for now. */
function listFormer({ memory, purchaseAliases }: World, order: Order, title: string): readonly string[] {
  return [...memory.purchases.values()]
    .map(nameSale)
    .filter((sale) => purchaseAliases.has(namePurchaseAliases(order, title, sale)));
}

function namePurchaseAliases({ connectionId, orderId }: Order, title: string, sale: string): string {
  return `${connectionId} ${orderId} ${title.trim().toLowerCase()} ${sale}`;
}

function classifyLine({ memory, orgId }: World, order: Order, title: string): ExpectedLine {
  const sku = title.trim().toLowerCase();
  const mapping =
    memory.mappings.get(`${orgId} ${order.platform} ${sku}`) ?? memory.mappings.get(`${orgId}  ${sku}`);
  if (mapping?.productId === null) return { outcome: 'not-ours' };
  const product = [...memory.products.values()].find(({ id, slug }) =>
    mapping ? id === mapping.productId : slug === sku,
  );
  if (!product) return { outcome: 'unmatched' };
  const sale = nameSale({ ...order, productId: product.id });
  if ([...memory.purchases.values()].some((purchase) => nameSale(purchase) === sale)) {
    return { outcome: 'already-delivered', sale };
  }
  const deliverable = product.status !== 'draft' && product.activeVersionId !== null;
  return { outcome: deliverable ? 'delivered' : 'held', sale };
}

/** Where the entry stands in the log, and where its lines and their receipts say that it should. */
function lookAt({ memory }: World, plan: Plan) {
  const entry = memory.deliveries.get(plan.delivery.id);
  const receipts = (entry?.lines ?? []).flatMap(({ purchaseId }) => {
    const receiptId = purchaseId && memory.purchases.get(purchaseId)?.receiptId;
    const receipt = receiptId ? memory.emails.get(receiptId) : undefined;
    return receipt ? [receipt.status] : [];
  });
  const outcomes = (entry?.lines ?? []).map(({ outcome }) => outcome);
  return { status: entry?.status, evaluated: evaluateDelivery({ outcomes, receipts }) };
}

function outcomesOf(lines: readonly Pick<DeliveryLine, 'outcome'>[]): string {
  return lines.map(({ outcome }) => outcome).join(', ');
}

function expectSame(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`Expected ${what} to be ${expected}, not ${found}.`);
}
