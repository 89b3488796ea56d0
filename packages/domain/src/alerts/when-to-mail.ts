/** The organisation's latest mail of alerts that was closed. */
export interface FormerAlertMail {
  readonly status: 'owed' | 'sent' | 'refused';
  readonly nextTryAt: Date;
  /** When it was sent or given up. */
  readonly settledAt: Date | null;
}

/** For so long after a mail, whatever else goes wrong is collected for the next one. */
export const ALERT_WINDOW_MS = 15 * 60 * 1000;
const MINUTE = 60 * 1000;

/**
 * When a mail that collects alerts is to be closed and sent. The first goes at once, since somebody should know; what
 * follows within a quarter of an hour goes together. While a mail is still owed, no other is begun: a mail server that
 * was away for a day finds two, not a hundred.
 */
export function whenToMail(former: FormerAlertMail | null, now: Date): Date {
  if (!former) return now;
  if (former.status === 'owed') {
    return new Date(Math.max(former.nextTryAt.getTime(), now.getTime() + MINUTE));
  }
  const end = (former.settledAt?.getTime() ?? 0) + ALERT_WINDOW_MS;
  return new Date(Math.max(end, now.getTime()));
}
