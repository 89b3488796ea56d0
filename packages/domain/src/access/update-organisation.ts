import { readEmail } from '../model/email-address.ts';
import { type InvalidInput, readName } from '../model/validation.ts';
import type { Organisations } from '../ports/access.ts';

export type UpdateOrganisationResult =
  | { readonly kind: 'updated' }
  | InvalidInput
  | { readonly kind: 'unknown-organisation' };

/** Changes how an organisation is named in its mails, and where buyers' replies go. */
export async function updateOrganisation(
  { organisations }: { readonly organisations: Organisations },
  orgId: string,
  change: { readonly name: string; readonly email: string },
): Promise<UpdateOrganisationResult> {
  const name = readName('name', change.name);
  if (name.kind === 'invalid') return name;
  const email = readEmail(change.email);
  if (email === null) return { kind: 'invalid', field: 'email', problem: 'must be an e-mail address' };
  const changed = await organisations.change(orgId, { name: name.value, email });
  return changed ? { kind: 'updated' } : { kind: 'unknown-organisation' };
}
