import type { ActivityEntry, PurchaseRecord, PurchaseSession } from '@handover/domain';
import { evaluatePurchase, listTimelineSteps, summariseTimeline } from '@handover/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pendingReceipt, unopenedLink } from './purchase-samples.ts';

const START = Date.UTC(2026, 9, 14, 14, 2, 11, 204);
const at = (seconds: number) => new Date(START + seconds * 1000);
const MUCH_LATER = at(100_000);

const LINK = unopenedLink(at(0.01), at(172_800));
const RECEIPT = pendingReceipt(at(0));
const DELIVERY = {
  id: 'delivery',
  receivedAt: at(0),
  status: 'pending' as const,
  decidedAt: at(0.01),
  sku: 'felt-piano',
  candidate: 'sku' as const,
  outcome: 'delivered' as const,
};
const ACCEPTED = { ...RECEIPT, status: 'sent' as const, lastAnswer: '250 2.0.0 OK', sentAt: at(1.4) };
const OPENED = { ...LINK, openedCount: 2, firstOpenedAt: at(400), lastOpenedAt: at(840) };

const RECORD: PurchaseRecord = {
  id: 'purchase',
  orgId: 'org',
  customerId: 'customer',
  customerName: 'Ana Lima',
  customerEmail: 'ana@example.com',
  productId: 'product',
  productName: 'Felt Piano',
  productSlug: 'felt-piano',
  amount: '49.00',
  currency: 'EUR',
  paymentMethod: 'card',
  source: 'storefront-a',
  orderId: '1',
  isTest: false,
  refundedAt: null,
  createdAt: at(0.01),
  linkId: 'link',
  downloadExpiresAt: at(172_800),
  downloadUsedAt: null,
  receiptSentAt: null,
  orderNumber: '#1186',
  receiptStatus: 'pending',
  revokedAt: null,
  connectionName: 'main',
  version: null,
  purchasesOfBuyer: 1,
  othersOfOrder: [],
  deliveries: [DELIVERY],
  laterEvents: [],
  receipt: RECEIPT,
  links: [LINK],
  sessions: [],
  activity: [],
};

function session(from: number, last: number, sent: number, completed: number | null = null): PurchaseSession {
  const files = [{ version: '2.1', name: 'felt.zip', size: 100, sent, whole: sent === 100 }];
  const completedAt = completed === null ? null : at(completed);
  return { id: `${from}`, startedAt: at(from), lastByteAt: at(last), completedAt, client: 'browser', files };
}

function tell(changes: Partial<PurchaseRecord>, now = MUCH_LATER): readonly string[] {
  return listTimelineSteps({ ...RECORD, ...changes }, now).map(({ kind }) => kind);
}

const ARRIVAL = ['received', 'verified', 'matched', 'recorded'];
const SENT = { receipt: ACCEPTED, receiptSentAt: at(1.4) };

describe('the timeline of a purchase', () => {
  it('waits for everything else once the order has come', () => {
    const rest = ['awaits-receipt', 'awaits-opening', 'awaits-last-byte', 'awaits-completion'];
    expect(tell({})).toEqual([...ARRIVAL, ...rest]);
  });

  it('goes from the order to the completed download', () => {
    const links = [{ ...OPENED, usedAt: at(832) }];
    const whole = { ...SENT, links, sessions: [session(410, 831, 100, 832)] };
    expect(tell(whole)).toEqual([...ARRIVAL, 'receipt-accepted', 'opened', 'last-byte', 'completed']);
    expect(summariseTimeline({ ...RECORD, ...whole })).toEqual({
      received: at(0),
      receipt: { kind: 'accepted', at: at(1.4) },
      opened: at(400),
      lastByte: at(831),
      completed: at(832),
    });
  });

  it('shows links that no entry tells of', () => {
    const asked = { ...LINK, id: 'asked', createdAt: at(900) };
    const resent = { ...LINK, id: 'resent', createdAt: at(950) };
    const origin = { actor: 'jana@example.com', via: 'dashboard' } as const;
    const entry: ActivityEntry = {
      id: 'entry',
      at: at(950),
      kind: 'receipt-resent',
      subjectId: 'purchase',
      summary: 'Sent again.',
      ...origin,
    };
    const record = { ...SENT, links: [resent, asked, LINK], activity: [entry] };
    const told = tell(record);
    expect(told.slice(5, 7)).toEqual(['link-mailed', 'action']);
    expect(told.filter((kind) => kind === 'link-mailed')).toHaveLength(1);
    // Of what is older than the entries that are read, nobody knows.
    const many = Array.from({ length: 20 }, (_, n) => ({ ...entry, id: `${n}`, at: at(950 + n) }));
    expect(tell({ ...record, activity: many })).not.toContain('link-mailed');
  });

  it('shows no link as mailed that was made in the place of a revoked one, restored or not', () => {
    const actions = [
      ['link-revoked', 900],
      ['link-restored', 1000],
    ] as const;
    const activity = actions.map(
      ([kind, time]): ActivityEntry => ({
        ...{ id: kind, at: at(time), kind, subjectId: 'purchase', summary: 'Done.' },
        ...{ actor: 'jana@example.com', via: 'dashboard' },
      }),
    );
    const replaced = { ...LINK, id: 'replaced', createdAt: at(950) };
    const asked = { ...LINK, id: 'asked', createdAt: at(1050) };
    for (const upTo of [1, 2])
      expect(tell({ ...SENT, links: [replaced, LINK], activity: activity.slice(0, upTo) })).not.toContain(
        'link-mailed',
      );
    const told = tell({ ...SENT, links: [asked, replaced, LINK], activity });
    expect(told.filter((kind) => kind === 'link-mailed')).toHaveLength(1);
  });

  it('shows a download that stopped, and the one that took it up again', () => {
    const sessions = [session(410, 542, 42), session(5000, 5100, 100)];
    const told = tell({ ...SENT, links: [OPENED], sessions });
    const download = ['interrupted', 'resumed', 'last-byte', 'awaits-completion'];
    expect(told).toEqual([...ARRIVAL, 'receipt-accepted', 'opened', ...download]);
  });

  it('calls nothing interrupted of which bytes went out within the last minute', () => {
    const running = { ...SENT, links: [OPENED], sessions: [session(410, 542, 42)] };
    expect(tell(running, at(601))).toContain('downloading');
    expect(tell(running, at(602))).toContain('interrupted');
  });

  it('tells that the receipt was sent without a purchase that was revoked then', () => {
    const left = { ...SENT, receipt: { ...ACCEPTED, leavesOut: true } };
    expect(tell(left)).toContain('receipt-without');
    expect(tell(left)).not.toContain('receipt-accepted');
    expect(summariseTimeline({ ...RECORD, ...left }).receipt).toEqual({ kind: 'left-out' });
  });

  it('tells what the mail server said when it did not take the receipt', () => {
    const said = { ...RECEIPT, attempts: 1, lastAnswer: '451 later', lastAnswerAt: at(2) };
    expect(tell({ receipt: said })).toEqual([
      ...ARRIVAL,
      'receipt-delayed',
      'awaits-receipt',
      'awaits-opening',
      'awaits-last-byte',
      'awaits-completion',
    ]);
    const refused = tell({ receipt: { ...said, status: 'refused' } });
    expect(refused).toContain('receipt-refused');
    expect(refused).not.toContain('awaits-receipt');
  });

  it('of a sale recorded by hand begins with the sale, and waits for no mail that nobody asked for', () => {
    const byHand = { source: 'dashboard', deliveries: [], receipt: null } as const;
    expect(tell(byHand)).toEqual(['recorded', 'awaits-opening', 'awaits-last-byte', 'awaits-completion']);
  });

  it('holds what the shop said of the order afterwards, at its time', () => {
    const event = { deliveryId: 'refund', receivedAt: at(500), reason: 'The order was refunded.' };
    const record = { ...RECORD, ...SENT, links: [OPENED], laterEvents: [event] };
    expect(listTimelineSteps(record, at(1000))).toContainEqual({ kind: 'event', at: at(500), event });
    expect(tell({ ...SENT, links: [OPENED], laterEvents: [event] }).slice(4, 7)).toEqual([
      'receipt-accepted',
      'opened',
      'event',
    ]);
  });

  it('holds what somebody did, at its time', () => {
    const entry = {
      id: 'a',
      at: at(300),
      kind: 'receipt-resent',
      subjectId: 'purchase',
      summary: '',
      via: 'dashboard',
    } as const;
    const told = tell({ ...SENT, links: [OPENED], activity: [entry] });
    expect(told.slice(4, 7)).toEqual(['receipt-accepted', 'action', 'opened']);
  });

  it('ends when a program of the buyer says that it has everything, also without a session', () => {
    const told = tell({ ...SENT, links: [{ ...OPENED, usedAt: at(900) }] });
    expect(told.at(-1)).toBe('completed');
  });

  it('of a download that began without an opening waits for none', () => {
    const told = tell({ ...SENT, sessions: [session(410, 831, 100)] });
    expect(told.at(-1)).toBe('awaits-completion');
    expect(told).not.toContain('awaits-opening');
  });

  it('is in the order of time whatever happened, and what is to come stands at its end', () => {
    const seconds = fc.integer({ min: 1, max: 5000 });
    const facts = fc.array(fc.tuple(seconds, seconds, fc.integer({ min: 0, max: 100 })), { maxLength: 5 });
    fc.assert(
      fc.property(facts, fc.option(seconds), fc.option(seconds), (downloads, sent, opened) => {
        const sessions = downloads.map(([from, more, bytes]) => session(from, from + more, bytes));
        const receiptSentAt = sent === null ? null : at(sent);
        const receipt = receiptSentAt ? { ...ACCEPTED, sentAt: receiptSentAt } : RECEIPT;
        const firstOpenedAt = opened === null ? null : at(opened);
        const links = [{ ...LINK, firstOpenedAt }];
        const told = listTimelineSteps({ ...RECORD, sessions, receipt, receiptSentAt, links }, MUCH_LATER);
        const times = told.map((step) => step.at?.getTime() ?? Number.POSITIVE_INFINITY);
        expect(times).toEqual(times.toSorted((one, other) => one - other));
        expect(new Set(told.filter((step) => step.at === null)).size).toBeGreaterThan(0);
      }),
    );
  });
});

describe('how a purchase stands', () => {
  it('is said in the word that matters most', () => {
    const sent = { ...RECORD, receiptStatus: 'sent' as const };
    expect(evaluatePurchase(RECORD, at(1))).toBe('pending');
    expect(evaluatePurchase(sent, at(1))).toBe('delivered');
    expect(evaluatePurchase({ ...sent, receiptStatus: null }, at(1))).toBe('open');
    expect(evaluatePurchase(sent, at(172_800))).toBe('expired');
    expect(evaluatePurchase({ ...sent, downloadUsedAt: at(5) }, at(172_800))).toBe('used');
    expect(evaluatePurchase({ ...sent, receiptStatus: 'refused' }, at(1))).toBe('refused');
    expect(evaluatePurchase({ ...RECORD, revokedAt: at(3) }, at(4))).toBe('revoked');
  });
});
