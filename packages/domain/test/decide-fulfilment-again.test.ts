import type { Order, OrderSnapshot } from '@handover/domain';
import { makeLine } from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import { bought, decide, NOW, outcomes, PADS } from './decide-order.ts';

describe('an order that was seen before', () => {
  it('is a success, “already delivered”, when its receipt is sent', () => {
    const plan = decide({}, { purchases: [bought('p-pads', 'sent')] });
    expect(plan.delivery).toMatchObject({ status: 'success', note: 'Already delivered.' });
    expect(outcomes(plan)).toEqual(['already-delivered']);
    expect([...plan.purchases, ...plan.jobs, ...plan.resend]).toEqual([]);
  });

  it('waits with the receipt that is on its way', () => {
    const plan = decide({}, { purchases: [bought('p-pads', 'pending')] });
    expect(plan.delivery.status).toBe('pending');
    expect([...plan.jobs, ...plan.resend]).toEqual([]);
    expect(plan.expectedVersions.receipts).toEqual([{ id: 'receipt of p-pads', status: 'pending' }]);
  });

  it.each([
    ['was tried in vain', 'pending', 3],
    ['was refused', 'refused', 1],
  ] as const)('sends the receipt again that %s', (_, status, attempts) => {
    const plan = decide({}, { purchases: [bought('p-pads', status, attempts)] });
    expect(plan.delivery).toMatchObject({ status: 'pending' });
    expect(plan.delivery.note).toContain('Its receipt was never sent, so it is sent again.');
    expect(plan.resend).toEqual(['receipt of p-pads']);
    expect(plan.jobs).toMatchObject([
      { kind: 'send-email', emailKind: 'receipt', emailId: 'receipt of p-pads', startAfter: NOW },
    ]);
  });

  it('gets a receipt of its own for what is new in it', () => {
    const plan = decide(
      { lines: [makeLine('pads'), makeLine('keys')] },
      { customer: { id: 'ana' }, purchases: [bought('p-pads', 'sent')] },
    );
    expect(outcomes(plan)).toEqual(['already-delivered', 'delivered']);
    expect(plan.purchases).toMatchObject([{ productId: 'p-keys', receiptId: plan.receipt?.id }]);
    expect(plan.delivery.status).toBe('pending');
  });

  it('stays delivered though its product has become a draft since', () => {
    const known = {
      products: [{ ...PADS, status: 'draft' as const }],
      purchases: [bought('p-pads', 'sent')],
    };
    expect(decide({}, known).delivery.status).toBe('success');
  });
});

describe('an entry that is completed by another of its order', () => {
  const complete = (order: Partial<Order>, known: Partial<OrderSnapshot>) =>
    decide(order, known, { attempts: 1, isResolving: true });

  it('finds what was bought, and asks for no mail', () => {
    const plan = complete({}, { purchases: [bought('p-pads', 'pending', 2)] });
    expect(plan).toMatchObject({ resend: [], jobs: [], resolves: null, alert: null });
    expect(plan.delivery).toMatchObject({ status: 'pending', lines: [{ outcome: 'already-delivered' }] });
  });

  it('is a success once the receipt was sent, and an error when it was refused', () => {
    expect(complete({}, { purchases: [bought('p-pads', 'sent')] }).delivery).toMatchObject({
      status: 'success',
    });
    expect(complete({}, { purchases: [bought('p-pads', 'refused', 1)] })).toMatchObject({
      resend: [],
      delivery: { status: 'error', reason: expect.stringContaining('refused its receipt') },
    });
  });

  it('is what follows from making purchases, and from nothing else', () => {
    expect(decide({}).resolves).toEqual({ connectionId: 'connection', orderId: '5001' });
    expect(decide({}, { purchases: [bought('p-pads', 'sent')] }).resolves).toBe(null);
    expect(decide({ lines: [makeLine('drums')] }).resolves).toBe(null);
  });
});

describe('an order that was sold before the subscription expired', () => {
  const expired = { subscriptionExpiresAt: NOW };

  it('has its missing receipt sent when it is delivered again', () => {
    const plan = decide({}, { ...expired, purchases: [bought('p-pads', 'refused')] });
    expect(plan.delivery).toMatchObject({ status: 'pending', heldFor: null });
    expect(outcomes(plan)).toEqual(['already-delivered']);
    expect(plan.resend).toEqual(['receipt of p-pads']);
  });

  it('is held as long as a line of it is not sold', () => {
    const lines = [makeLine('PADS'), makeLine('KEYS')];
    const plan = decide({ lines }, { ...expired, purchases: [bought('p-pads', 'sent')] });
    expect(plan.delivery).toMatchObject({ status: 'held', heldFor: 'subscription' });
    expect(plan.purchases).toEqual([]);
  });
});
