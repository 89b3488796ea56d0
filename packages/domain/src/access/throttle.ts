import type { Throttles } from '../ports/access.ts';
import type { Clock } from '../ports/clock.ts';

/** The number of tries within one window, which begins with the first try. */
interface Limit {
  readonly tries: number;
  readonly windowMs: number;
}

const HOUR_MS = 60 * 60 * 1000;
const QUARTER_MS = 15 * 60 * 1000;

/** The limits of unauthenticated requests, and of mails to any address. */
export const LIMITS = {
  signInPerAddress: { tries: 5, windowMs: QUARTER_MS },
  signInPerNetwork: { tries: 30, windowMs: QUARTER_MS },
  passkeysPerNetwork: { tries: 60, windowMs: QUARTER_MS },
  /** From one organisation to one address. */
  invitationsPerAddress: { tries: 3, windowMs: HOUR_MS },
  invitationsPerOrganisation: { tries: 50, windowMs: HOUR_MS },
  myLinksPerAddress: { tries: 3, windowMs: HOUR_MS },
  myLinksPerNetwork: { tries: 20, windowMs: HOUR_MS },
  freshLinkPerLink: { tries: 3, windowMs: HOUR_MS },
  freshLinkPerAddress: { tries: 10, windowMs: HOUR_MS },
  testMailsPerUser: { tries: 5, windowMs: HOUR_MS },
} as const satisfies Readonly<Record<string, Limit>>;

/**
 * Counts a try for `subject`. Returns null if it is allowed, otherwise the time from which the next try is allowed. Tries
 * beyond the limit do not extend that time.
 */
export async function throttle(
  { clock, throttles }: { readonly clock: Clock; readonly throttles: Pick<Throttles, 'count'> },
  limit: keyof typeof LIMITS,
  subject: string,
): Promise<Date | null> {
  const { tries, windowMs } = LIMITS[limit];
  const counted = await throttles.count(`${limit} ${subject}`, windowMs, clock.now());
  return counted.tries <= tries ? null : counted.windowEndsAt;
}
