import type { AlertSubjectState, CatalogueFacts, CollectedAlert, EntryState } from '@handover/domain';
import { evaluateAlerts } from '@handover/domain';
import { describe, expect, it } from 'vitest';

const NOTHING: CatalogueFacts = { mappings: [], products: [] };
const PADS = { id: 'p-pads', name: 'Pads', slug: 'pads', status: 'published', activeVersionId: 'v' } as const;

function alert(now: AlertSubjectState): CollectedAlert {
  const details = {
    deliveryId: '1',
    platform: 'storefront-a',
    orderNumber: '#1001',
    customerEmail: 'ana@example.com',
    reason: 'As it was raised.',
    at: new Date('2026-03-02T09:00:00.000Z'),
  } as const;
  return { about: 'order c 5001', cause: 'not-delivered', details, now };
}

const order = (...entries: readonly EntryState[]): AlertSubjectState => ({
  kind: 'order',
  isSold: false,
  entries,
});

function entry(deliveryId: string, changes: Partial<EntryState> = {}): EntryState {
  return {
    deliveryId,
    platform: 'storefront-a',
    status: 'error',
    reason: `Reason ${deliveryId}.`,
    lines: [unmatched('PAD-1')],
    ...changes,
  };
}

function unmatched(sku: string): EntryState['lines'][number] {
  return { sku, candidate: 'sku', outcome: 'unmatched' };
}

function fate(now: AlertSubjectState, known = NOTHING) {
  const { told, dropped } = evaluateAlerts([alert(now)], known);
  expect(told.length + dropped.length).toBe(1);
  return told.length === 1 ? 'told' : 'dropped';
}

describe('an alert of an order', () => {
  const map = (sku: string, productId: string | null): CatalogueFacts => ({
    mappings: [{ sku, platform: null, productId }],
    products: [PADS],
  });
  const cases: readonly [string, 'told' | 'dropped', AlertSubjectState, CatalogueFacts][] = [
    ['is told while nothing has changed', 'told', order(entry('1')), NOTHING],
    [
      'is told of an order without a line, or without an address',
      'told',
      order(entry('1', { lines: [] })),
      NOTHING,
    ],
    ['is dropped once another entry was delivered', 'dropped', { ...withSale(entry('1')) }, NOTHING],
    [
      'is dropped while another entry is held',
      'dropped',
      order(entry('1'), entry('2', { status: 'held' })),
      NOTHING,
    ],
    ['is dropped once its SKU is mapped', 'dropped', order(entry('1')), map('pad-1', PADS.id)],
    ['is told while another SKU is mapped', 'told', order(entry('1')), map('pad-2', PADS.id)],
    ['is dropped once its SKU is known not to be ours', 'dropped', order(entry('1')), map('pad-1', null)],
    [
      'is told while only one of two lines is known not to be ours',
      'told',
      order(entry('1', { lines: [unmatched('PAD-1'), unmatched('PAD-2')] })),
      map('pad-1', null),
    ],
    [
      'is dropped once one of two lines is mapped',
      'dropped',
      order(entry('1', { lines: [unmatched('PAD-1'), unmatched('PAD-2')] })),
      map('pad-2', PADS.id),
    ],
    [
      'is dropped once a product has its SKU as slug',
      'dropped',
      order(entry('1', { lines: [unmatched('Pads')] })),
      { mappings: [], products: [PADS] },
    ],
    [
      'is dropped once its only entry is ignored',
      'dropped',
      order(entry('1', { status: 'ignored' })),
      NOTHING,
    ],
    [
      'is told of a line that has only a title, whatever is mapped',
      'told',
      order(entry('1', { lines: [{ sku: 'pad-1', candidate: null, outcome: 'unmatched' }] })),
      map('pad-1', PADS.id),
    ],
  ];
  it.each(cases)('%s', (_name, expected, now, known) => {
    expect(fate(now, known)).toBe(expected);
  });

  it('names the first entry that fails still, and says why it does', () => {
    const now = order(
      entry('1', { status: 'ignored' }),
      entry('2', { lines: [unmatched('PAD-2')] }),
      entry('3'),
    );
    const { told } = evaluateAlerts([alert(now)], NOTHING);
    expect(told).toMatchObject([{ details: { deliveryId: '2', reason: 'Reason 2.', orderNumber: '#1001' } }]);
  });
});

describe('any other alert', () => {
  const cases: readonly [string, 'told' | 'dropped', AlertSubjectState][] = [
    ['is told of a receipt that is refused', 'told', { kind: 'receipt', isRefused: true }],
    ['is dropped once the receipt was asked for again', 'dropped', { kind: 'receipt', isRefused: false }],
    [
      'is told of a body that cannot be read',
      'told',
      { kind: 'body', unread: { deliveryId: '2', reason: null } },
    ],
    ['is dropped once each body was read after all', 'dropped', { kind: 'body', unread: null }],
    ['is told of rejected requests while one is kept', 'told', { kind: 'rejected', isKept: true }],
    ['is dropped once all rejected requests are delivered', 'dropped', { kind: 'rejected', isKept: false }],
  ];
  it.each(cases)('%s', (_name, expected, now) => {
    expect(fate(now)).toBe(expected);
  });
});

function withSale(...entries: readonly EntryState[]): AlertSubjectState {
  return { kind: 'order', isSold: true, entries };
}
