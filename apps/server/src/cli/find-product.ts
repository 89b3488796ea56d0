import { normalizeSlug, type Product, type Stores } from '@handover/domain';
import { formatCommand } from './command-text.ts';
import { CommandError } from './run-command.ts';

/** The product that `--product` names, by id or by slug in any spelling. */
export async function findProduct(
  { products }: Pick<Stores, 'products'>,
  orgId: string,
  text: string,
): Promise<Product> {
  const found = (await products.find(orgId, text)) ?? (await products.findBySlug(orgId, normalizeSlug(text)));
  if (found) return found;
  throw new CommandError(
    `--product ${text} is not a product of this organisation: give its slug or its id. See them with:\n` +
      formatCommand(`product list --org ${orgId}`),
  );
}
