import type { PendingEmailFacts } from './pending-email.ts';
import type { Platform } from './platform.ts';

/**
 * `not-delivered`: nothing of an order could be delivered. `receipt-refused`: the mail server refused a receipt for good.
 * `unreadable`: a genuine request could not be read. `rejected`: a request was signed with a secret that has ended, or came
 * from a platform of which nothing was ever accepted.
 */
export type AlertCause = 'not-delivered' | 'receipt-refused' | 'unreadable' | 'rejected';

/**
 * A problem that is mailed to an organisation once while its key lasts. The key is `about` and `cause`. It ends a day after
 * the mail, or once somebody dismisses the problem. The key of a connection or a platform also ends once nothing of its kind
 * is left.
 */
export interface Alert {
  readonly orgId: string;
  readonly cause: AlertCause;
  /** Names the order, or the receipt without an order, or the connection or platform with the problem. */
  readonly about: string;
  /**
   * The id of the entry, receipt or request that went wrong first. A mail that begins with this alert gets this id if it is
   * free.
   */
  readonly subjectId: string;
  readonly details: AlertDetails;
}

/** What the mail says about an alert. */
export interface AlertDetails {
  /** The entry of the log to look at; null for a sale that was recorded by hand, and for rejected requests. */
  readonly deliveryId: string | null;
  readonly platform: Platform | null;
  readonly orderNumber: string | null;
  readonly customerEmail: string | null;
  /** A sentence. */
  readonly reason: string;
  readonly at: Date;
}

/** The alert for an entry of the log that failed. */
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

/** Entries of a connection in which no order can be read have one cause, so they are one problem. Others belong to their order. */
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

/** An order's id is unique only within its connection. */
function aboutOrder(connectionId: string, orderId: string): string {
  return `order ${connectionId} ${orderId}`;
}

/** The `about` of an alert for rejected requests of a platform. */
export function aboutRejected(platform: Platform): string {
  return `rejected ${platform}`;
}

/** How long an alert's key lasts after its mail. */
export const ALERT_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** The state of an alert that was raised. */
export interface RaisedAlert {
  /** When its mail was sent or given up; null while it collects or is tried again. */
  readonly mailedAt: Date | null;
  /** Whether it was dismissed, or is about a connection or platform of which nothing of its kind is left. */
  readonly isOver: boolean;
}

/** Whether an alert may be raised again under the key of this one. */
export function hasKeyEnded({ mailedAt, isOver }: RaisedAlert, now: Date): boolean {
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

/** The content of a mail of alerts, before it is formatted. */
export interface AlertMail {
  readonly kind: 'alert';
  readonly mailId: string;
  readonly orgId: string;
  readonly organisationName: string;
  readonly to: readonly string[];
  /** At least one, at most `ALERTS_IN_A_MAIL`, oldest first. */
  readonly alerts: readonly AlertNotice[];
  /** How many alerts the mail leaves out. */
  readonly more: number;
  /** The URL of the webhook log in the dashboard. */
  readonly logUrl: string;
}

/** One alert in a mail. */
export interface AlertNotice extends Omit<AlertDetails, 'deliveryId'> {
  readonly cause: AlertCause;
  /** The page of the dashboard that shows it. */
  readonly url: string;
}

/** The maximum number of alerts that a mail lists. */
export const ALERTS_IN_A_MAIL = 20;

/** The maximum number of owners who get a mail of alerts, because mail servers limit recipients. */
export const MAX_ALERT_RECIPIENTS = 20;

/** A mail of alerts that was claimed for sending. Its content does not change after its first try. */
export interface PendingAlertMail extends PendingEmailFacts {
  readonly kind: 'alert';
  readonly orgId: string;
  readonly organisationName: string;
  readonly to: readonly string[];
  readonly alerts: readonly (AlertDetails & { readonly cause: AlertCause })[];
  readonly more: number;
}
