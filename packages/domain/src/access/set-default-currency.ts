import { NO_SUCH_CURRENCY, readCurrency } from '../model/currency.ts';
import type { InvalidInput } from '../model/validation.ts';
import type { Organisations } from '../ports/access.ts';

export type SetDefaultCurrencyResult =
  | { readonly kind: 'set'; readonly currency: string }
  | InvalidInput
  | { readonly kind: 'unknown-organisation' };

/**
 * Says which currency orders are in that name none, and whose connection has no default of its own. Purchases that were
 * recorded without a currency take it too.
 */
export async function setDefaultCurrency(
  ports: { readonly organisations: Organisations },
  orgId: string,
  input: string,
): Promise<SetDefaultCurrencyResult> {
  const currency = readCurrency(input);
  if (currency === null) return { kind: 'invalid', field: 'defaultCurrency', problem: NO_SUCH_CURRENCY };
  const outcome = await ports.organisations.setDefaultCurrency(orgId, currency);
  return outcome === 'set' ? { kind: 'set', currency } : { kind: 'unknown-organisation' };
}
