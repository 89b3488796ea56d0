import type { Order, OrderLine } from '@handover/domain';
import { makeLine } from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import { explainLine } from '../src/fulfilment/evaluate-delivery.ts';
import { bought, decide, NOW, outcomes } from './decide-order.ts';

const noSku = (title: string | null): OrderLine => ({ candidates: [], quantity: 1, amount: null, title });
const reasonOf = (order: Partial<Order>) => decide(order).delivery.reason;

describe('the reason of an entry', () => {
  it('names each of three lines, and from the fourth on counts them', () => {
    const lines = (...skus: readonly string[]) => ({ lines: skus.map((sku) => makeLine(sku)) });
    const sentence = (sku: string) =>
      `No product is known for SKU ${sku}. Map it to a product, or ignore it.`;
    const three = ['a1', 'b2', 'c3'].map(sentence).join(' ');
    expect(reasonOf(lines('a1', 'b2', 'c3'))).toBe(three);
    expect(reasonOf(lines('a1', 'b2', 'c3', 'd4'))).toBe(`${three} And 1 more line like these.`);
  });

  it('says once what is true of several lines', () => {
    const lines = [makeLine('a1'), makeLine('a1'), makeLine('a1'), makeLine('a1')];
    expect(reasonOf({ lines })).toBe('No product is known for SKU a1. Map it to a product, or ignore it.');
  });

  it('says of an id that the platform gave that only a mapping for that platform counts', () => {
    const vendorId = { kind: 'vendor-id', value: '93' } as const;
    expect(reasonOf({ lines: [makeLine('x', { candidates: [vendorId] })] })).toBe(
      "No product is known for the platform's id 93. Map it for that platform, or ignore it there.",
    );
    const sku = { kind: 'sku', value: 'a1' } as const;
    expect(reasonOf({ lines: [makeLine('x', { candidates: [sku, vendorId] })] })).toContain('SKU a1.');
  });

  it('calls a line without SKU and title what it is', () => {
    expect(reasonOf({ lines: [noSku(null)] })).toBe(
      'A line without a name has no SKU that could name a product.',
    );
  });

  it('quotes an address that no mail can go to, trimmed, and at most its first hundred characters', () => {
    const to = (email: string) => reasonOf({ customer: { email, name: null } });
    expect(to('  ana at home ')).toBe('No mail can be sent to “ana at home”.');
    expect(to('x'.repeat(101))).toBe(`No mail can be sent to “${'x'.repeat(100)}”.`);
    expect(to('  ')).toBe('The order came without an e-mail address.');
  });

  it('names the SKU of a line that is held, whatever its title', () => {
    expect(reasonOf({ lines: [makeLine('drums', { title: 'A drum kit' })] })).toBe(
      'drums: the product “Drums” is still a draft. Publish it, then deliver again.',
    );
  });

  it('calls a held line without any name a line', () => {
    expect(explainLine(noSku(null), { held: 'draft', product: 'Drums' })).toBe(
      'A line: the product “Drums” is still a draft. Publish it, then deliver again.',
    );
  });

  it('is none where the rest was delivered and mailed', () => {
    const lines = [makeLine('pads'), makeLine('a1')];
    expect(decide({ lines }, { purchases: [bought('p-pads', 'sent')] }).delivery).toMatchObject({
      status: 'success',
      reason: null,
    });
  });

  it('of what is held names what it waits for, though a receipt was refused', () => {
    const lines = [makeLine('pads'), makeLine('drums')];
    const resolving = { attempts: 1, isResolving: true };
    const { delivery } = decide({ lines }, { purchases: [bought('p-pads', 'refused', 1)] }, resolving);
    expect(delivery).toMatchObject({
      status: 'held',
      reason: expect.stringContaining('“Drums” is still a draft'),
    });
  });

  it('of a refused receipt names the refusal before any open line', () => {
    const order = { lines: [makeLine('pads'), makeLine('a1')] };
    const resolving = { attempts: 1, isResolving: true };
    const plan = decide(order, { purchases: [bought('p-pads', 'refused', 1)] }, resolving);
    expect(plan.delivery.reason).toBe(
      'The mail server refused its receipt. Delivering it again sends the receipt again.',
    );
  });
});

describe('the note of an entry', () => {
  it('says that it was delivered before only where nothing new is', () => {
    const order = { lines: [makeLine('pads'), makeLine('keys')] };
    expect(decide(order, { purchases: [bought('p-pads', 'sent')] }).delivery.note).toBe(null);
  });

  it('brings what the order and its prices say, in this order', () => {
    const order = { test: true, notes: ['It is odd.'], lines: [makeLine('pads', { amount: 'free' })] };
    expect(decide(order, { purchases: [bought('p-pads', 'refused', 1)] }).delivery.note).toBe(
      'Test order. Already delivered. Its receipt was never sent, so it is sent again. It is odd. ' +
        'The amount “free” is not a number; it counts as 0.',
    );
  });

  it('quotes at most forty characters of an amount that is none', () => {
    const { note } = decide({ lines: [makeLine('pads', { amount: 'x'.repeat(41) })] }).delivery;
    expect(note).toBe(`The amount “${'x'.repeat(40)}” is not a number; it counts as 0.`);
  });
});

describe('a test order', () => {
  it('is ignored by a connection that wants none, and says so before anything else', () => {
    const known = { ignoreTestOrders: true, subscriptionExpiresAt: NOW };
    const plan = decide({ test: true, lines: [] }, known);
    expect(plan.delivery).toMatchObject({
      status: 'ignored',
      heldFor: null,
      reason: 'It is a test order, and this connection ignores those.',
      note: 'Test order.',
      lines: [],
    });
    expect(plan.alert).toBe(null);
  });
});

describe('an order that is held for the subscription', () => {
  it('lists each of its lines as held, under the name that it came with', () => {
    const lines = [makeLine('pads'), noSku('Setup help'), noSku(null)];
    const { delivery } = decide({ lines }, { subscriptionExpiresAt: NOW });
    expect(delivery.lines).toEqual([
      { ...HELD, position: 0, sku: 'pads', candidate: 'sku' },
      { ...HELD, position: 1, sku: 'Setup help', candidate: null },
      { ...HELD, position: 2, sku: '', candidate: null },
    ]);
  });

  it('is one without a line, too', () => {
    const { delivery } = decide({ lines: [] }, { subscriptionExpiresAt: NOW });
    expect(delivery).toMatchObject({ status: 'held', heldFor: 'subscription', lines: [] });
  });

  it('changes nothing and rests on no receipt', () => {
    expect(decide({}, { subscriptionExpiresAt: NOW })).toMatchObject({
      ...{ customer: null, receipt: null, resolves: null, alert: null },
      ...{ purchases: [], links: [], purchaseAliases: [], resend: [], activity: [], jobs: [] },
      expectedVersions: { catalogueRevision: '7', receipts: [], attempts: 0 },
    });
  });

  it('is none a moment before it expires', () => {
    const known = { subscriptionExpiresAt: new Date(NOW.getTime() + 1) };
    expect(outcomes(decide({}, known))).toEqual(['delivered']);
  });
});

const HELD = { outcome: 'held', reason: null, productId: null, purchaseId: null };

describe('the plan of an order', () => {
  it('of several products says how many in the activity log', () => {
    const { activity, receipt } = decide({ lines: [makeLine('keys'), makeLine('pads')] });
    expect(activity).toMatchObject([
      { at: NOW, subjectId: receipt?.id, summary: 'Shopify order #1001: 2 products delivered.' },
    ]);
  });

  it('goes through its products and receipts by id, in whatever order the lines are', () => {
    for (const skus of [
      ['pads', 'keys'],
      ['keys', 'pads'],
    ]) {
      const lines = skus.map((sku) => makeLine(sku));
      expect(decide({ lines }).purchases.map(({ productId }) => productId)).toEqual(['p-keys', 'p-pads']);
      const purchases = skus.map((sku) => bought(`p-${sku}`, 'refused', 1));
      const again = decide({ lines }, { purchases });
      expect(again.resend).toEqual(['receipt of p-keys', 'receipt of p-pads']);
      expect(again.expectedVersions.receipts.map(({ id }) => id)).toEqual(again.resend);
    }
  });

  it('names for each line the purchase of its own product', () => {
    const plan = decide({ lines: [makeLine('pads'), makeLine('keys')] });
    const byProduct = new Map(plan.purchases.map(({ id, productId }) => [productId, id]));
    expect(plan.delivery.lines.map(({ purchaseId }) => purchaseId)).toEqual([
      byProduct.get('p-pads'),
      byProduct.get('p-keys'),
    ]);
  });

  it('sends no receipt again that was sent after tries that failed', () => {
    const plan = decide({}, { purchases: [bought('p-pads', 'sent', 2)] });
    expect([plan.resend, plan.jobs, plan.delivery.status]).toEqual([[], [], 'success']);
  });

  it('sends no receipt again of a purchase that none of its lines names', () => {
    const plan = decide({ lines: [makeLine('pads')] }, { purchases: [bought('p-keys', 'refused', 1)] });
    expect([plan.resend, plan.expectedVersions.receipts]).toEqual([[], []]);
    expect(plan.purchases.map(({ productId }) => productId)).toEqual(['p-pads']);
  });

  it('waits for a purchase that was sold without a receipt no more than for one whose receipt was sent', () => {
    const plan = decide({}, { purchases: [{ id: 'by hand', productId: 'p-pads', receipt: null }] });
    expect(plan.delivery).toMatchObject({ status: 'success', note: null });
  });

  it('says of each line what it was called and what became of it', () => {
    const lines = [
      makeLine('pads'),
      { ...makeLine('x'), candidates: [{ kind: 'vendor-id', value: '93' } as const] },
      makeLine('drums'),
    ];
    const plan = decide({ lines });
    expect(plan.delivery.lines).toMatchObject([
      { position: 0, sku: 'pads', candidate: 'sku', outcome: 'delivered', reason: null, productId: 'p-pads' },
      { position: 1, sku: '93', candidate: 'vendor-id', outcome: 'unmatched', productId: null },
      { position: 2, sku: 'drums', candidate: 'sku', outcome: 'held', productId: 'p-drums' },
    ]);
    expect(plan.delivery.lines.map(({ purchaseId }) => purchaseId)).toEqual([
      plan.purchases[0]?.id,
      null,
      null,
    ]);
    expect(plan.delivery.heldFor).toBe('products');
  });
});
