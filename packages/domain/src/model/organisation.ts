import type { Language } from './language.ts';

/** The tenant: a seller. */
export interface Organisation {
  readonly id: string;
  readonly name: string;
  /** The Reply-To of mails to buyers. */
  readonly email: string;
  /** The address for alerts. Null: the owners get them. */
  readonly alertEmail: string | null;
  /** The currency of orders that name none; null until it is chosen. */
  readonly defaultCurrency: string | null;
  /** The language of pages and mails for buyers whose own language is not known. */
  readonly language: Language;
  /** The IANA time zone of the times in mails to buyers. */
  readonly timeZone: string;
  /** Null: it never expires. */
  readonly subscriptionExpiresAt: Date | null;
  readonly createdAt: Date;
}

/** Whether two names are equal, ignoring case and surrounding blanks. */
export function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** Whether a subscription has expired. One that is null never expires. */
export function hasExpired(subscriptionExpiresAt: Date | null, now: Date): boolean {
  return subscriptionExpiresAt !== null && subscriptionExpiresAt <= now;
}
