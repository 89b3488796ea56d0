import { readEmail } from '../model/email-address.ts';
import { LANGUAGES, type Language, readTimeZone } from '../model/language.ts';
import { hasExpired } from '../model/organisation.ts';
import {
  type InvalidForm,
  type InvalidInput,
  readAddress,
  readCurrency,
  readFields,
  readName,
} from '../model/validation.ts';
import type { Organisations } from '../ports/access.ts';
import type { Clock } from '../ports/clock.ts';

type SetAlertAddressResult =
  | { readonly kind: 'set'; readonly isChanged: boolean }
  | InvalidInput
  | { readonly kind: 'unknown-organisation' };

/** Sets the address for an organisation's alerts. Null: its owners get them. */
export async function setAlertAddress(
  ports: { readonly organisations: Organisations },
  orgId: string,
  input: string | null,
): Promise<SetAlertAddressResult> {
  const email = input === null ? null : readEmail(input);
  if (input !== null && email === null) {
    return { kind: 'invalid', field: 'alertEmail', problem: 'must be an e-mail address, or nothing' };
  }
  const outcome = await ports.organisations.change(orgId, { alertEmail: email });
  if (outcome === 'unknown-organisation') return { kind: outcome };
  return { kind: 'set', isChanged: outcome === 'changed' };
}

type SetDefaultCurrencyResult =
  | { readonly kind: 'set'; readonly currency: string; readonly isChanged: boolean }
  | InvalidInput
  | { readonly kind: 'unknown-organisation' };

/**
 * Sets the currency of orders that name none and whose connection has no default of its own. Purchases that were recorded
 * without a currency get it too.
 */
export async function setDefaultCurrency(
  ports: { readonly organisations: Organisations },
  orgId: string,
  input: string,
): Promise<SetDefaultCurrencyResult> {
  const read = readCurrency('defaultCurrency', input);
  if (read.kind === 'invalid') return read;
  const currency = read.value;
  const outcome = await ports.organisations.setDefaultCurrency(orgId, currency);
  if (outcome === 'unknown-organisation') return { kind: outcome };
  return { kind: 'set', currency, isChanged: outcome === 'changed' };
}

type SetLocaleResult =
  | {
      readonly kind: 'set';
      readonly language: Language;
      readonly timeZone: string;
      readonly isChanged: boolean;
    }
  | InvalidInput
  | { readonly kind: 'unknown-organisation' };

/** Sets the language of pages and mails for buyers whose language is not known, and the time zone of mails. */
export async function setLocale(
  ports: { readonly organisations: Organisations },
  orgId: string,
  input: { readonly language: string; readonly timeZone: string },
): Promise<SetLocaleResult> {
  const language = LANGUAGES.find((known) => known === input.language);
  if (!language) {
    return { kind: 'invalid', field: 'language', problem: `must be one of ${LANGUAGES.join(', ')}` };
  }
  const timeZone = readTimeZone(input.timeZone);
  if (timeZone === null) {
    return { kind: 'invalid', field: 'timeZone', problem: 'must be a time zone such as Europe/Berlin' };
  }
  const outcome = await ports.organisations.change(orgId, { language, timeZone });
  if (outcome === 'unknown-organisation') return { kind: outcome };
  return { kind: 'set', language, timeZone, isChanged: outcome === 'changed' };
}

/** `released`: how many orders were held for the subscription, and are released now. */
type SetSubscriptionResult =
  | { readonly kind: 'set'; readonly released: number }
  | { readonly kind: 'unknown-organisation' };

/**
 * Sets when an organisation's subscription expires; null: never. Renewing an expired subscription releases the orders that were
 * held because of it.
 */
export async function setSubscription(
  ports: { readonly clock: Clock; readonly organisations: Organisations },
  orgId: string,
  expiresAt: Date | null,
): Promise<SetSubscriptionResult> {
  const now = ports.clock.now();
  const releaseAt = hasExpired(expiresAt, now) ? null : now;
  const released = await ports.organisations.setSubscription(orgId, expiresAt, releaseAt);
  return released === null ? { kind: 'unknown-organisation' } : { kind: 'set', released };
}

type UpdateOrganisationResult =
  | { readonly kind: 'updated'; readonly isChanged: boolean }
  | InvalidForm
  | { readonly kind: 'unknown-organisation' };

/** Changes the name of an organisation, and the Reply-To of its mails. */
export async function updateOrganisation(
  { organisations }: { readonly organisations: Organisations },
  orgId: string,
  change: { readonly name: string; readonly email: string },
): Promise<UpdateOrganisationResult> {
  const read = readFields({ name: readName('name', change.name), email: readAddress('email', change.email) });
  if (read.kind === 'invalid') return read;
  const outcome = await organisations.change(orgId, read.value);
  if (outcome === 'unknown-organisation') return { kind: outcome };
  return { kind: 'updated', isChanged: outcome === 'changed' };
}
