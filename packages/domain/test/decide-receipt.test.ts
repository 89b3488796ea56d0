import { describe, expect, it } from 'vitest';
import { decideReceipt, GIVE_UP_AFTER_MS, nextTryAt } from '../src/receipts/decide-receipt.ts';

const NOW = new Date('2026-03-05T09:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const before = (milliseconds: number) => new Date(NOW.getTime() - milliseconds);
const after = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const OWED = { attempts: 0, owedSince: NOW };

describe('a mail that was not taken', () => {
  it.each([
    [0, 5 * SECOND],
    [1, 15 * SECOND],
    [2, 45 * SECOND],
    [3, 2 * MINUTE],
    [4, 5 * MINUTE],
    [5, 15 * MINUTE],
    [6, 30 * MINUTE],
    [7, 60 * MINUTE],
    [70, 60 * MINUTE],
  ])('after %i failed tries before waits %i ms', (attempts, pause) => {
    expect(nextTryAt({ attempts, owedSince: NOW }, NOW)).toEqual(after(pause));
  });

  it('is tried for three days to the millisecond, and not beyond', () => {
    expect(GIVE_UP_AFTER_MS).toBe(3 * 24 * 60 * MINUTE);
    const last = before(GIVE_UP_AFTER_MS - 5 * SECOND);
    expect(nextTryAt({ attempts: 0, owedSince: last }, NOW)).toEqual(after(5 * SECOND));
    expect(nextTryAt({ attempts: 0, owedSince: new Date(last.getTime() - 1) }, NOW)).toBe(null);
  });
});

describe('an answer to a receipt', () => {
  it('that accepts it means that it is sent', () => {
    expect(decideReceipt(OWED, { kind: 'accepted', answer: '250 OK' }, NOW)).toEqual({
      kind: 'sent',
      at: NOW,
      answer: '250 OK',
    });
  });

  it('that refuses it is final, however few tries there were', () => {
    expect(decideReceipt(OWED, { kind: 'refused', answer: '550 no such box' }, NOW)).toEqual({
      kind: 'refused',
      at: NOW,
      answer: '550 no such box',
      reason: 'The mail server refused the receipt: “550 no such box”',
    });
  });

  it('that puts it off is followed by another try', () => {
    expect(decideReceipt(OWED, { kind: 'try-again', answer: '451 busy' }, NOW)).toEqual({
      kind: 'try-again',
      at: NOW,
      answer: '451 busy',
      reason: 'The mail server did not take the receipt: “451 busy” It is tried again by itself.',
      nextTryAt: after(5 * SECOND),
    });
  });

  it('that puts it off for the last time of three days gives it up', () => {
    const owed = { attempts: 80, owedSince: before(GIVE_UP_AFTER_MS) };
    expect(decideReceipt(owed, { kind: 'try-again', answer: '451 busy' }, NOW)).toEqual({
      kind: 'refused',
      at: NOW,
      answer: '451 busy',
      reason: 'The receipt could not be mailed for three days. The last answer: “451 busy”',
    });
  });

  it('of our own, that its organisation has sent enough, never gives it up', () => {
    const owed = { attempts: 80, owedSince: before(2 * GIVE_UP_AFTER_MS) };
    const until = after(MINUTE);
    expect(decideReceipt(owed, { kind: 'postponed', until, answer: 'Enough for now.' }, NOW)).toEqual({
      kind: 'postponed',
      at: NOW,
      answer: 'Enough for now.',
      reason: 'Enough for now.',
      nextTryAt: until,
    });
  });
});
