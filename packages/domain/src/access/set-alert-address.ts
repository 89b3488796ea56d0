import { readEmail } from '../model/email-address.ts';
import type { InvalidInput } from '../model/validation.ts';
import type { Organisations } from '../ports/access.ts';

/** `invalid`: it is no address that mail can go to. */
export type SetAlertAddressResult =
  | { readonly kind: 'set' }
  | InvalidInput
  | { readonly kind: 'unknown-organisation' };

/** Says where an organisation's alerts go. Null: to its owners. */
export async function setAlertAddress(
  ports: { readonly organisations: Organisations },
  orgId: string,
  input: string | null,
): Promise<SetAlertAddressResult> {
  const email = input === null ? null : readEmail(input);
  if (input !== null && email === null) {
    return { kind: 'invalid', field: 'alertEmail', problem: 'must be an e-mail address, or nothing' };
  }
  const outcome = await ports.organisations.setAlertEmail(orgId, email);
  return outcome === 'set' ? { kind: 'set' } : { kind: 'unknown-organisation' };
}
