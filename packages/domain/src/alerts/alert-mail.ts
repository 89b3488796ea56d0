import type { AlertCause, AlertDetails } from './alert.ts';

/** The mail that tells people of alerts, ready to be laid out. */
export interface AlertMail {
  readonly mailId: string;
  readonly orgId: string;
  readonly organisationName: string;
  readonly to: readonly string[];
  /** At least one, at most `ALERTS_IN_A_MAIL`, oldest first. */
  readonly alerts: readonly AlertNotice[];
  /** How many there are besides. */
  readonly more: number;
  /** The webhook log in the dashboard. */
  readonly logUrl: string;
}

/** One alert as its mail tells it. */
export interface AlertNotice extends Omit<AlertDetails, 'deliveryId'> {
  readonly cause: AlertCause;
  /** Where the dashboard shows it. */
  readonly url: string;
}

/** However many come together, a mail stays a mail. */
export const ALERTS_IN_A_MAIL = 20;

/** A mail of alerts that was taken for sending. What it says is fixed from its first try on. */
export interface OwedAlertMail {
  readonly id: string;
  readonly orgId: string;
  readonly organisationName: string;
  readonly to: readonly string[];
  readonly alerts: readonly (AlertDetails & { readonly cause: AlertCause })[];
  readonly more: number;
  readonly owedSince: Date;
  /** Tries that failed before. */
  readonly attempts: number;
}

/** What became of an attempt to take a mail of alerts for sending. */
export type AlertMailClaim =
  | { readonly kind: 'claimed'; readonly claimId: string; readonly mail: OwedAlertMail }
  | { readonly kind: 'settled' }
  /** Another process is at it, or its time is yet to come: ask again at `at`. */
  | { readonly kind: 'not-now'; readonly at: Date };
