import { evaluateConnection } from '@handover/domain';
import { describe, expect, test } from 'vitest';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = new Date('2026-03-31T12:00:00.000Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

/** A connection that heard something `silentFor` ago, and before that ten times, that far apart. */
function connection(silentFor: number, apart: number, pauses = 10) {
  const arrivals = Array.from({ length: pauses + 1 }, (_, at) => ago(silentFor + at * apart));
  return {
    platform: 'storefront-a' as const,
    name: 'main',
    secretSetAt: ago(60 * DAY),
    formerUntil: null,
    hasAccount: false,
    lastDelivery: { id: 'd', at: ago(silentFor), orderId: '1', orderNumber: null },
    arrivals,
  };
}

const ofAccount = {
  platform: 'payments-a' as const,
  name: 'acct_1',
  secretSetAt: null,
  hasAccount: true,
};

const fresh = { ...connection(0, 0), lastDelivery: null, arrivals: [] };

describe('a connection', () => {
  test('without a secret is not set up, unless the service holds it', () => {
    const bare = { ...fresh, secretSetAt: null };
    expect(evaluateConnection(bare, null, NOW)).toBe('not-set-up');
    expect(evaluateConnection({ ...bare, ...ofAccount }, null, NOW)).toBe('waiting');
    expect(evaluateConnection({ ...bare, formerUntil: ago(-HOUR) }, null, NOW)).toBe('waiting');
  });

  test('whose account was taken away is unmapped, whatever came over it before', () => {
    const former = { ...ofAccount, hasAccount: false };
    expect(evaluateConnection({ ...fresh, ...former }, null, NOW)).toBe('unmapped');
    expect(evaluateConnection({ ...connection(MINUTE, HOUR), ...former }, null, NOW)).toBe('unmapped');
    expect(evaluateConnection({ ...connection(90 * DAY, HOUR), ...former }, null, NOW)).toBe('unmapped');
    expect(evaluateConnection({ ...connection(MINUTE, HOUR), ...ofAccount }, null, NOW)).toBe('working');
  });

  test('for orders that name their organisation needs no account', () => {
    const inMetadata = { ...ofAccount, name: 'metadata', hasAccount: false };
    expect(evaluateConnection({ ...fresh, ...inMetadata }, null, NOW)).toBe('waiting');
  });

  test('that nothing came over yet is not said to work', () => {
    expect(evaluateConnection(fresh, null, NOW)).toBe('waiting');
  });

  test('is quiet once it is silent for four times its longest usual pause', () => {
    expect(evaluateConnection(connection(4 * 10 * HOUR, 10 * HOUR), null, NOW)).toBe('working');
    expect(evaluateConnection(connection(4 * 10 * HOUR + 1, 10 * HOUR), null, NOW)).toBe('quiet');
  });

  test('is never quiet within a day', () => {
    expect(evaluateConnection(connection(DAY, 2 * MINUTE), null, NOW)).toBe('working');
    expect(evaluateConnection(connection(DAY + 1, 2 * MINUTE), null, NOW)).toBe('quiet');
  });

  test('is not called quiet before there is something usual', () => {
    expect(evaluateConnection(connection(90 * DAY, HOUR, 4), null, NOW)).toBe('working');
    expect(evaluateConnection(connection(90 * DAY, HOUR, 5), null, NOW)).toBe('quiet');
  });

  test('is measured by pauses between orders, not between the messages of one', () => {
    // Ten orders, a day apart, each told four times within seconds.
    const arrivals = Array.from({ length: 40 }, (_, at) =>
      ago(3 * DAY + Math.floor(at / 4) * DAY + (at % 4)),
    );
    expect(evaluateConnection({ ...connection(3 * DAY, DAY), arrivals }, null, NOW)).toBe('working');
  });

  test('is measured by what is usual, not by its one long pause', () => {
    const usual = Array.from({ length: 40 }, (_, at) => ago(2 * DAY + at * HOUR));
    const arrivals = [...usual, ago(20 * DAY)];
    expect(evaluateConnection({ ...connection(2 * DAY, HOUR), arrivals }, null, NOW)).toBe('quiet');
  });

  test('is rejecting while nothing genuine came since the last rejected request', () => {
    const rejected = { lastAt: ago(HOUR) };
    expect(evaluateConnection(fresh, rejected, NOW)).toBe('rejecting');
    expect(evaluateConnection(connection(2 * HOUR, HOUR), rejected, NOW)).toBe('rejecting');
    expect(evaluateConnection(connection(MINUTE, HOUR), rejected, NOW)).toBe('working');
    expect(evaluateConnection(fresh, { lastAt: ago(7 * DAY) }, NOW)).toBe('waiting');
  });
});
