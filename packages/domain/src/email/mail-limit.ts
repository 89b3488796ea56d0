import { groupDigits } from '../model/group-digits.ts';
import type { PostponedMail } from '../model/mail-answer.ts';
import type { EmailKind } from '../model/outgoing-email.ts';

/** How many mails of one organisation go out in an hour, unless the installation says otherwise. */
export const USUAL_MAILS_PER_HOUR = 5000;

/**
 * How many mails of an organisation may have gone out in an hour for one more of this kind to go; null: it always goes.
 *
 * What strangers can cause, mails to buyers, stops at the limit. A tenth on top of it is kept for what its own people
 * must hear of, or a flood of receipts would hide itself. A sign-in is never held back: its link works for minutes, each
 * address is throttled, and it is the way in to anyone who stops the flood. All of them are counted.
 */
export function maxBefore(kind: EmailKind, maxPerHour: number): number | null {
  switch (kind) {
    case 'receipt':
    case 'links':
      return maxPerHour;
    case 'alert':
    case 'invitation':
      return maxPerHour + Math.ceil(maxPerHour / 10);
    case 'sign-in':
      return null;
  }
}

const HOUR_MS = 60 * 60 * 1000;

/** The hour of the clock (UTC) that a moment is in. */
export function hourOf(at: Date): { readonly startsAt: Date; readonly endsAt: Date } {
  const start = Math.floor(at.getTime() / HOUR_MS) * HOUR_MS;
  return { startsAt: new Date(start), endsAt: new Date(start + HOUR_MS) };
}

export function postponeMail(maxPerHour: number, until: Date): PostponedMail {
  const time = until.toISOString().slice(11, 16);
  const limit = groupDigits(String(maxPerHour));
  const answer = `The limit of ${limit} mails an hour is reached, so this one waits until ${time} UTC.`;
  return { kind: 'postponed', until, answer };
}
