import { type Refused, refuse, type TranslatedEntry } from '@handover/platform-contract';
import type { SecurityPair } from './security-pair.ts';

const MAX_AGE_MS = 24 * 60 * 60 * 1000;
/** Clocks differ. Beyond that a date in the future would keep a recorded pair usable for as long as its maker likes. */
const MAX_AHEAD_MS = 5 * 60 * 1000;

/** What to say of a pair that came before with another body: a note, or a refusal where the connection is strict. */
export const REUSED_PAIR = {
  note: 'The security pair of this delivery came before with another body.',
  refusal: refuse('The security pair came before with another body.'),
} as const;

/**
 * What a strict connection asks of a verified pair besides not having been used: that it was made for this order,
 * not long ago, and not in the future. The vendor's data is `<epoch ms><order reference><e-mail><epoch ms>`, and for a subscription
 * `<epoch ms><subscription reference>`. Null when nothing speaks against it.
 */
export function checkStrictly(
  { data }: SecurityPair,
  entry: TranslatedEntry | undefined,
  now: Date,
): Refused | null {
  const stamp = /^\d{13}/.exec(data)?.[0];
  if (stamp === undefined) return refuse('The security data does not begin with a time.');
  const ageMs = now.getTime() - Number(stamp);
  if (ageMs > MAX_AGE_MS) return refuse('The security data is older than a day.');
  if (ageMs < -MAX_AHEAD_MS)
    return refuse('The security data is dated more than five minutes ahead of our clock.');
  const reference = entry?.kind === 'order' ? entry.order.orderId : (entry?.orderId ?? null);
  const isOfOrder = reference !== null && data.slice(stamp.length).startsWith(reference);
  return isOfOrder ? null : refuse('The security data does not name the order of the body.');
}
