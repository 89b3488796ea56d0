import type { EmailKind, PendingEmail } from '@handover/domain';
import { describe, expect, it } from 'vitest';
import { decideOutcome, GIVE_UP_AFTER_MS, nextTryAt } from '../src/email/decide-outcome.ts';

const NOW = new Date('2026-03-05T09:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const before = (milliseconds: number) => new Date(NOW.getTime() - milliseconds);
const after = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const FRESH = { attempts: 0, pendingSince: NOW };

/** Of what it says, only that is asked. */
function pending(kind: EmailKind, tried = FRESH): PendingEmail {
  return { kind, ...tried, to: ['ops@example.com'] } as unknown as PendingEmail;
}

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
    expect(nextTryAt('receipt', { attempts, pendingSince: NOW }, NOW)).toEqual(after(pause));
  });

  it('is tried for three days to the millisecond, and not beyond', () => {
    expect(GIVE_UP_AFTER_MS).toBe(3 * 24 * 60 * MINUTE);
    const last = before(GIVE_UP_AFTER_MS - 5 * SECOND);
    expect(nextTryAt('receipt', { attempts: 0, pendingSince: last }, NOW)).toEqual(after(5 * SECOND));
    expect(nextTryAt('receipt', { attempts: 0, pendingSince: new Date(last.getTime() - 1) }, NOW)).toBe(null);
  });
});

describe('a sign-in that was not taken', () => {
  it.each([0, 1, 70])('after %i failed tries before waits ten seconds: somebody waits for it', (attempts) => {
    expect(nextTryAt('sign-in', { attempts, pendingSince: NOW }, NOW)).toEqual(after(10 * SECOND));
  });

  it('is tried for as long as its link works, and not beyond', () => {
    const last = before(15 * MINUTE - 10 * SECOND);
    expect(nextTryAt('sign-in', { attempts: 0, pendingSince: last }, NOW)).toEqual(after(10 * SECOND));
    const late = new Date(last.getTime() - 1);
    expect(nextTryAt('sign-in', { attempts: 0, pendingSince: late }, NOW)).toBe(null);
  });
});

describe.each(['links', 'alert', 'invitation', 'sign-in'] as const)(
  'an answer to an e-mail of the kind %s',
  (kind) => {
    const answer = '451 busy';
    const giveUpAfterMs = kind === 'sign-in' ? 15 * MINUTE : GIVE_UP_AFTER_MS;

    it.each(['accepted', 'refused'] as const)('is its end where it is %s', (said) => {
      const outcome = decideOutcome(pending(kind), { kind: said, answer }, NOW);
      expect(outcome).toMatchObject({ kind: said === 'accepted' ? 'sent' : 'refused', at: NOW, answer });
    });

    it('is followed by another try where it was not taken, until it is given up', () => {
      const busy = { kind: 'try-again', answer } as const;
      expect(decideOutcome(pending(kind), busy, NOW)).toMatchObject({ kind: 'try-again', at: NOW, answer });
      const tried = { attempts: 0, pendingSince: before(giveUpAfterMs) };
      const givenUp = decideOutcome(pending(kind, tried), busy, NOW);
      expect(givenUp).toMatchObject({ kind: 'refused', answer, reason: expect.stringContaining(answer) });
    });

    it('is waited for where its organisation has sent enough for now', () => {
      const until = after(MINUTE);
      const outcome = decideOutcome(pending(kind), { kind: 'postponed', until, answer }, NOW);
      expect(outcome).toEqual({ kind: 'postponed', at: NOW, answer, reason: answer, nextTryAt: until });
    });
  },
);

describe('what is said of alerts', () => {
  const explain = (kind: 'try-again' | 'refused', to: readonly string[] = ['ops@example.com']) =>
    decideOutcome({ ...pending('alert'), to } as PendingEmail, { kind, answer: '550 no' }, NOW);

  it.each([
    ['ops@example.com', ['ops@example.com']],
    ['ops@example.com, boss@example.com', ['ops@example.com', 'boss@example.com']],
    ['nobody', []],
  ])('that could not be mailed is to whom: %s', (named, to) => {
    const reason = `An alert to ${named} could not be mailed. The last answer: “550 no”`;
    expect(explain('refused', to)).toMatchObject({ reason });
  });

  it('that are tried again is what was answered', () => {
    expect(explain('try-again')).toMatchObject({ reason: 'An alert was not taken: “550 no”' });
  });
});

describe('an answer to a receipt', () => {
  it('that accepts it means that it is sent', () => {
    expect(decideOutcome(pending('receipt'), { kind: 'accepted', answer: '250 OK' }, NOW)).toEqual({
      kind: 'sent',
      at: NOW,
      answer: '250 OK',
    });
  });

  it('that refuses it is final, however few tries there were', () => {
    expect(decideOutcome(pending('receipt'), { kind: 'refused', answer: '550 no such box' }, NOW)).toEqual({
      kind: 'refused',
      at: NOW,
      answer: '550 no such box',
      reason: 'The mail server refused the receipt: “550 no such box”',
    });
  });

  it('that puts it off is followed by another try', () => {
    expect(decideOutcome(pending('receipt'), { kind: 'try-again', answer: '451 busy' }, NOW)).toEqual({
      kind: 'try-again',
      at: NOW,
      answer: '451 busy',
      reason: 'The mail server did not take the receipt: “451 busy” It is tried again automatically.',
      nextTryAt: after(5 * SECOND),
    });
  });

  it('that puts it off for the last time of three days gives it up', () => {
    const tried = { attempts: 80, pendingSince: before(GIVE_UP_AFTER_MS) };
    expect(decideOutcome(pending('receipt', tried), { kind: 'try-again', answer: '451 busy' }, NOW)).toEqual({
      kind: 'refused',
      at: NOW,
      answer: '451 busy',
      reason: 'The receipt could not be mailed for three days. The last answer: “451 busy”',
    });
  });

  it('of our own, that its organisation has sent enough, never gives it up', () => {
    const tried = { attempts: 80, pendingSince: before(2 * GIVE_UP_AFTER_MS) };
    const until = after(MINUTE);
    expect(
      decideOutcome(pending('receipt', tried), { kind: 'postponed', until, answer: 'Enough for now.' }, NOW),
    ).toEqual({
      kind: 'postponed',
      at: NOW,
      answer: 'Enough for now.',
      reason: 'Enough for now.',
      nextTryAt: until,
    });
  });
});
