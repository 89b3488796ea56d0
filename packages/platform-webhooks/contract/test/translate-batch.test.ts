import { describe, expect, it } from 'vitest';
import type { TranslatedOrder } from '../src/index.ts';
import { oneEntryPerOrder } from '../src/translate-batch.ts';
import { ORDER } from './fake-platform.ts';

const REPEATED = 'The batch announces this order more than once: its first entry holds all of it.';
const entry = (changes: Partial<TranslatedOrder> = {}) =>
  ({ kind: 'order', order: { ...ORDER, ...changes } }) as const;
const ignored = { kind: 'ignored', orderId: '1', reason: 'No.' } as const;

describe('a batch', () => {
  it('of different orders is unchanged', () => {
    const entries = [entry(), ignored, entry({ orderId: '2' })];
    expect(oneEntryPerOrder(entries)).toEqual(entries);
  });

  it('that announces an order twice contains it once, with a note', () => {
    expect(oneEntryPerOrder([entry(), ignored, entry()])).toEqual([
      entry(),
      ignored,
      { kind: 'ignored', orderId: '1', reason: REPEATED },
    ]);
  });

  it('keeps data that only a later event of the order has', () => {
    const bare = { customer: { email: null, name: null }, currency: null, total: null, lines: [] };
    expect(oneEntryPerOrder([entry(bare), entry()])[0]).toEqual(entry());
  });

  it('counts no line twice, but keeps repeated lines of one event', () => {
    const [line] = ORDER.lines;
    const other = { ...line, candidates: [{ kind: 'sku', value: 'KEYS-2' }] } as const;
    const [first] = oneEntryPerOrder([entry({ lines: [line, line] }), entry({ lines: [line, other] })]);
    expect(first).toEqual(entry({ lines: [line, line, other] }));
  });

  it('keeps orders without an id separate', () => {
    const nameless = entry({ orderId: '' });
    expect(oneEntryPerOrder([nameless, nameless])).toEqual([nameless, nameless]);
  });
});
