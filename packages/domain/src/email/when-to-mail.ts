/** The organisation's latest closed mail of alerts. */
export interface FormerAlertMail {
  readonly status: 'pending' | 'sent' | 'refused';
  readonly nextTryAt: Date;
  /** When it was sent or given up. */
  readonly completedAt: Date | null;
}

const MINUTE = 60 * 1000;

/**
 * How long an alert waits before it is mailed, in case the problem is gone by then: some shops send an order in several requests
 * within seconds.
 */
export const ALERT_DELAY_MS = MINUTE;

/** For so long after a mail, further alerts are collected for the next one. */
export const ALERT_WINDOW_MS = 15 * MINUTE;

/** The earliest time at which an alert that was raised at `at` may be mailed. */
export function dueAt(at: Date): Date {
  return new Date(at.getTime() + ALERT_DELAY_MS);
}

/** Alerts that were raised at this time or earlier are due at `now`; later ones are for the next mail. */
export function latestDue(now: Date): Date {
  return new Date(now.getTime() - ALERT_DELAY_MS);
}

/**
 * When to close and send a collecting mail whose oldest alert was raised at `oldestAt`. The first mail is sent as soon as
 * that alert is due; alerts of the following `ALERT_WINDOW_MS` share a mail. While a mail is pending, no other one is closed,
 * so that a day's outage of the mail server causes two mails, not a hundred.
 */
export function whenToMail(former: FormerAlertMail | null, oldestAt: Date, now: Date): Date {
  return new Date(Math.max(dueAt(oldestAt).getTime(), endOfPause(former, now), now.getTime()));
}

function endOfPause(former: FormerAlertMail | null, now: Date): number {
  if (!former) return 0;
  if (former.status === 'pending') return Math.max(former.nextTryAt.getTime(), now.getTime() + MINUTE);
  return (former.completedAt?.getTime() ?? 0) + ALERT_WINDOW_MS;
}
