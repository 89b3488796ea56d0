import type { Language } from './language.ts';

/** The tenant: a seller. Everything but users and what runs the service belongs to one. */
export interface Organisation {
  readonly id: string;
  readonly name: string;
  /** Where buyers' replies go. */
  readonly email: string;
  /** Where alerts go. Null: to the owners. */
  readonly alertEmail: string | null;
  /** The currency of orders that name none; null until it is chosen. */
  readonly defaultCurrency: string | null;
  /** Of pages and mails for buyers whose own language is not known. */
  readonly language: Language;
  /** Of the times in mails to buyers: a name of the IANA database. */
  readonly timeZone: string;
  /** Null: never expires. */
  readonly subscriptionExpiresAt: Date | null;
  readonly createdAt: Date;
}

/** Capitals and the blanks around a name make no other name. */
export function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** Whether a subscription is over that ends at that time; one without an end never is. */
export function hasExpired(subscriptionExpiresAt: Date | null, now: Date): boolean {
  return subscriptionExpiresAt !== null && subscriptionExpiresAt <= now;
}
