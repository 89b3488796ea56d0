import { evaluateReceipt, isMissingFromMail } from '@handover/domain';
import { describe, expect, it } from 'vitest';
import { pendingReceipt, unopenedLink } from './purchase-samples.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 9, 14, 14) + seconds * 1000);
const PENDING = pendingReceipt(at(0));
const SENT = { ...PENDING, status: 'sent' as const, sentAt: at(60) };
const LINK = unopenedLink(at(0), at(172_800));

describe('the receipt of a purchase', () => {
  it('is accepted from when a mail server took it', () => {
    expect(evaluateReceipt({ receipt: SENT })).toEqual({ kind: 'accepted', at: at(60) });
  });

  it('is pending while it is sent again, whatever became of the one before', () => {
    expect(evaluateReceipt({ receipt: PENDING })).toEqual({ kind: 'pending' });
    expect(evaluateReceipt({ receipt: { ...PENDING, attempts: 3 } })).toEqual({ kind: 'pending' });
  });

  it('is refused once its mail server refuses further tries', () => {
    expect(evaluateReceipt({ receipt: { ...PENDING, status: 'refused' } })).toEqual({ kind: 'refused' });
  });

  it('was not requested where nobody asked for a mail, and nothing is said to come', () => {
    expect(evaluateReceipt({ receipt: null })).toEqual({ kind: 'not-requested' });
  });

  it('left the purchase out if it was sent without it', () => {
    expect(evaluateReceipt({ receipt: { ...SENT, leavesOut: true } })).toEqual({ kind: 'left-out' });
    expect(evaluateReceipt({ receipt: { ...PENDING, leavesOut: true } })).toEqual({ kind: 'pending' });
  });
});

describe('a purchase that its receipt left out', () => {
  const left = { receipt: { ...SENT, leavesOut: true }, links: [LINK], revokedAt: null };

  it('is missing from its mail once it is restored', () => {
    expect(isMissingFromMail({ ...left, revokedAt: at(30) })).toBe(false);
    expect(isMissingFromMail(left)).toBe(true);
  });

  it('is not missing once another mail brought a newer link', () => {
    expect(isMissingFromMail({ ...left, links: [{ ...LINK, createdAt: at(61) }, LINK] })).toBe(false);
    expect(isMissingFromMail({ ...left, links: [{ ...LINK, createdAt: at(60) }, LINK] })).toBe(true);
  });

  it('is not missing where its receipt lists it, is on its way, or was never asked for', () => {
    expect(isMissingFromMail({ ...left, receipt: SENT })).toBe(false);
    expect(isMissingFromMail({ ...left, receipt: { ...PENDING, leavesOut: true } })).toBe(false);
    expect(isMissingFromMail({ ...left, receipt: null })).toBe(false);
  });
});
