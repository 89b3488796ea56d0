import { normalizeSlug, type Organisation, type Product, type Stores } from '@handover/domain';
import { formatCommand } from './command-text.ts';
import { CommandError } from './run-command.ts';

/** The option of commands that concern one organisation. */
export const ORG = ['--org <id>', 'the organisation’s id, which org list shows'] as const;

/** The product that `--product` names, by id or by slug in any spelling. */
export async function findProduct(
  stores: Pick<Stores, 'organisations' | 'products'>,
  orgId: string,
  text: string,
): Promise<Product> {
  const { products } = stores;
  const found = (await products.find(orgId, text)) ?? (await products.findBySlug(orgId, normalizeSlug(text)));
  if (found) return found;
  await findOrganisation(stores, orgId);
  throw new CommandError(
    `--product ${text} is not a product of this organisation: give its slug or its id. See them with:\n` +
      formatCommand(`product list --org ${orgId}`),
  );
}

/** The organisation that `--org` names. */
export async function findOrganisation(
  { organisations }: Pick<Stores, 'organisations'>,
  orgId: string,
): Promise<Organisation> {
  const found = await organisations.find(orgId);
  if (found) return found;
  throw unknownOrganisation(orgId);
}

export function unknownOrganisation(orgId: string): CommandError {
  return new CommandError(
    `--org ${orgId} is not an organisation of this installation. See them with:\n${formatCommand('org list')}`,
  );
}
