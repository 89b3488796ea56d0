import type { ProductListRow, ProductQuery } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { selectListRows, toListRow } from './products.ts';

/** One page of the list that people look through. */
export async function searchProducts(
  db: Kysely<Schema>,
  orgId: string,
  { text, status, before, limit }: ProductQuery,
): Promise<readonly ProductListRow[]> {
  const wanted = `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`;
  const rows = await selectListRows(db, orgId)
    .$if(wanted !== '%%', (query) =>
      query.where(sql<boolean>`(products.name ilike ${wanted} or products.slug ilike ${wanted})`),
    )
    .$if(status !== null, (query) => query.where('products.status', '=', status ?? 'draft'))
    .$if(before !== null, (query) => query.where('products.id', '<', before ?? ''))
    .orderBy('products.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toListRow);
}
