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
 * When to close and send a mail that collects alerts, the oldest of them since `oldestAt`. The first mail is sent as soon
 * as that alert is due, so that somebody knows soon; alerts of the following quarter of an hour share a mail. While a
 * mail is pending, no other one is closed: after a day's outage of the mail server there are two mails, not a hundred.
 */
export function whenToMail(former: FormerAlertMail | null, oldestAt: Date, now: Date): Date {
  return new Date(Math.max(dueAt(oldestAt).getTime(), endOfPause(former, now), now.getTime()));
}

function endOfPause(former: FormerAlertMail | null, now: Date): number {
  if (!former) return 0;
  if (former.status === 'pending') return Math.max(former.nextTryAt.getTime(), now.getTime() + MINUTE);
  return (former.completedAt?.getTime() ?? 0) + ALERT_WINDOW_MS;
}
