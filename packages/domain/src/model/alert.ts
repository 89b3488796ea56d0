import type { PendingEmailFacts } from './pending-email.ts';
import type { Platform } from './platform.ts';

/**
 * `not-delivered`: nothing of an order could be. `receipt-refused`: for good. `unreadable`: a genuine request.
 * `rejected`: a request whose secret has ended, or from a platform of which nothing was ever accepted.
 */
export type AlertCause = 'not-delivered' | 'receipt-refused' | 'unreadable' | 'rejected';

/**
 * What the people of an organisation are told of, under a key: `about` and `cause`. While the key lasts, they are not told
 * again. It ends a day after its mail, or once somebody dismissed what it is about; the keys of a connection or platform
 * also end once nothing of their kind is left.
 */
export interface Alert {
  readonly orgId: string;
  readonly cause: AlertCause;
  /** What went wrong: an order, a receipt of none, or a connection or platform whose deliveries go wrong in the same way. */
  readonly about: string;
  /** What went wrong first. A mail that begins with this alert takes its id from it, if it is free. */
  readonly subjectId: string;
  readonly details: AlertDetails;
}

/** What people need in order to look into it. */
export interface AlertDetails {
  /** The entry of the log to look at; null for a sale that came by no webhook. */
  readonly deliveryId: string | null;
  readonly platform: Platform | null;
  readonly orderNumber: string | null;
  readonly customerEmail: string | null;
  /** In a sentence. */
  readonly reason: string;
  readonly at: Date;
}

/** The alert for an entry of the log that went wrong. */
export function alertOfEntry(
  entry: {
    readonly id: string;
    readonly orgId: string;
    readonly platform: Platform;
    readonly connectionId: string;
    readonly orderId: string | null;
    readonly orderNumber: string | null;
  },
  cause: 'not-delivered' | 'unreadable',
  { reason, ...problem }: Pick<AlertDetails, 'customerEmail' | 'at'> & { readonly reason: string | null },
): Alert {
  const { id, orgId, platform, orderNumber } = entry;
  const details = { deliveryId: id, platform, orderNumber, ...problem, reason: reason ?? '' };
  return { orgId, cause, about: aboutEntry(entry, cause), subjectId: id, details };
}

/**
 * Entries of a connection in which no order can be read go wrong for one reason, and are one problem. Any other entry
 * is a problem of its order.
 */
function aboutEntry(
  {
    id,
    connectionId,
    orderId,
  }: { readonly id: string; readonly connectionId: string; readonly orderId: string | null },
  cause: AlertCause,
): string {
  if (orderId !== null) return aboutOrder(connectionId, orderId);
  return cause === 'unreadable' ? `unreadable ${connectionId}` : `delivery ${id}`;
}

/** How an alert names an order: its number alone is not enough. */
function aboutOrder(connectionId: string, orderId: string): string {
  return `order ${connectionId} ${orderId}`;
}

/** Genuine requests of a platform that are rejected, in the same way. */
export function aboutRejected(platform: Platform): string {
  return `rejected ${platform}`;
}

/** How long after its mail a key lasts. What goes wrong a day later is worth another mail. */
export const ALERT_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** What the mail of an alert has come to. */
export interface ToldAlert {
  /** When its mail was sent or given up; null while it collects or is tried again. */
  readonly mailedAt: Date | null;
  /** It was dismissed, or nothing else that it stands for is left: a single order or receipt stands for itself. */
  readonly isOver: boolean;
}

/** Whether an alert may be raised again under a key that was told before. */
export function hasKeyEnded({ mailedAt, isOver }: ToldAlert, now: Date): boolean {
  if (mailedAt === null) return false;
  return isOver || now.getTime() - mailedAt.getTime() >= ALERT_LIFETIME_MS;
}

/** The alert for a receipt that is given up. */
export function alertOfRefusal(
  receipt: {
    readonly orgId: string;
    readonly id: string;
    readonly connectionId: string | null;
    readonly orderId: string | null;
  },
  details: AlertDetails,
): Alert {
  const { orgId, id, connectionId, orderId } = receipt;
  const isOfOrder = connectionId !== null && orderId !== null;
  const about = isOfOrder ? aboutOrder(connectionId, orderId) : `receipt ${id}`;
  return { orgId, cause: 'receipt-refused', about, subjectId: id, details };
}

/** The mail that tells people of alerts, ready to be laid out. */
export interface AlertMail {
  readonly kind: 'alert';
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

/** How many owners get a mail of alerts: mail servers have a limit. */
export const MAX_ALERT_RECIPIENTS = 20;

/** A mail of alerts that was taken for sending. What it says is fixed from its first try on. */
export interface PendingAlertMail extends PendingEmailFacts {
  readonly kind: 'alert';
  readonly orgId: string;
  readonly organisationName: string;
  readonly to: readonly string[];
  readonly alerts: readonly (AlertDetails & { readonly cause: AlertCause })[];
  readonly more: number;
}
