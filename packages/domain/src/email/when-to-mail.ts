/** The organisation's latest mail of alerts that was closed. */
export interface FormerAlertMail {
  readonly status: 'pending' | 'sent' | 'refused';
  readonly nextTryAt: Date;
  /** When it was sent or given up. */
  readonly completedAt: Date | null;
}

const MINUTE = 60 * 1000;

/**
 * So long an alert waits for things to right themselves: a shop that sends an order line by line has sent all of it by
 * then, and what was delivered meanwhile is told to nobody.
 */
export const ALERT_DELAY_MS = MINUTE;

/** For so long after a mail, whatever else goes wrong is collected for the next one. */
export const ALERT_WINDOW_MS = 15 * MINUTE;

/** The earliest moment at which an alert that came at `at` may be mailed. */
export function dueAt(at: Date): Date {
  return new Date(at.getTime() + ALERT_DELAY_MS);
}

/** Alerts that came by then are due now; those that came after it are for the next mail. */
export function latestDue(now: Date): Date {
  return new Date(now.getTime() - ALERT_DELAY_MS);
}

/**
 * When a mail that collects alerts, the oldest of them since `oldestAt`, is to be closed and sent. The first goes as soon
 * as that one is due, since somebody should know; what follows within a quarter of an hour goes together. While a mail
 * is still pending, no other is begun: a mail server that was away for a day finds two, not a hundred.
 */
export function whenToMail(former: FormerAlertMail | null, oldestAt: Date, now: Date): Date {
  return new Date(Math.max(dueAt(oldestAt).getTime(), endOfPause(former, now), now.getTime()));
}

function endOfPause(former: FormerAlertMail | null, now: Date): number {
  if (!former) return 0;
  if (former.status === 'pending') return Math.max(former.nextTryAt.getTime(), now.getTime() + MINUTE);
  return (former.completedAt?.getTime() ?? 0) + ALERT_WINDOW_MS;
}
