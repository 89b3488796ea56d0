import { expect, it } from 'vitest';
import type { Copy } from '../mail-server.ts';
import { tally } from '../tally.ts';

const ANA = 'buyer-1@example.test';
const BEN = 'buyer-2@example.test';

function copy(changes: Partial<Copy> = {}): Copy {
  return { at: 10_000, messageId: '<receipt-1>', to: ANA, program: 'worker-1', answered: true, ...changes };
}

const acknowledged = [{ email: ANA, skus: new Set(['felt-piano']) }];
const purchases = [{ email: ANA, sku: 'felt-piano' }];
const receipts = [{ email: ANA, count: 1 }];
const well = { acknowledged, purchases, receipts, copies: [copy()], outages: [] };

it('reports nothing if each buyer has one of each product, and one mail', () => {
  expect(tally(well)).toEqual({
    acknowledged: 1,
    lost: [],
    boughtTwice: [],
    mailedTwice: [],
    mailedTwiceInWindow: 0,
  });
});

it('counts what was acknowledged and not bought, or not mailed, as lost', () => {
  expect(tally({ ...well, purchases: [] }).lost).toEqual([`${ANA} felt-piano`]);
  expect(tally({ ...well, copies: [], receipts: [] }).lost).toEqual([`${ANA}: no mail`]);
  expect(tally({ ...well, receipts: [{ email: ANA, count: 2 }] }).lost).toHaveLength(1);
  expect(tally({ ...well, copies: [copy({ to: BEN })] }).lost).toHaveLength(2);
});

it('expects no mail at an address without a mailbox', () => {
  const email = 'gone-3@example.test';
  const gone = { acknowledged: [{ email, skus: new Set(['a']) }], purchases: [{ email, sku: 'a' }] };
  expect(tally({ ...well, ...gone, copies: [], receipts: [] }).lost).toEqual([]);
});

it('counts what was bought twice', () => {
  expect(tally({ ...well, purchases: [...purchases, ...purchases] }).boughtTwice).toEqual([
    `${ANA} felt-piano`,
  ]);
});

it('distinguishes an unavoidable second mail from an avoidable one', () => {
  const later = copy({ at: 30_000, program: 'worker-2' });
  const twice = (former: Copy, outages: Parameters<typeof tally>[0]['outages'] = []) => {
    const { mailedTwice, mailedTwiceInWindow } = tally({ ...well, copies: [former, later], outages });
    return [mailedTwice.length, mailedTwiceInWindow];
  };
  expect(twice(copy())).toEqual([1, 0]);
  expect(twice(copy({ answered: false }))).toEqual([0, 1]);
  expect(twice(copy(), [{ program: 'worker-1', from: 10_500, to: 10_600 }])).toEqual([0, 1]);
  expect(twice(copy(), [{ program: null, from: 9_000, to: 10_100 }])).toEqual([0, 1]);
  // Another program's outage, one that was over, and one that began long after the commit.
  expect(twice(copy(), [{ program: 'worker-2', from: 10_500, to: 10_600 }])).toEqual([1, 0]);
  expect(twice(copy(), [{ program: 'worker-1', from: 9_000, to: 9_900 }])).toEqual([1, 0]);
  expect(twice(copy(), [{ program: 'worker-1', from: 12_500, to: 20_000 }])).toEqual([1, 0]);
});
