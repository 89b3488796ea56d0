import pg from 'pg';
import type { World } from './open-world.ts';
import { seedManyShops } from './seed-many-shops.ts';

/**
 * Fills the tables of sales as `seedManyShops` does, in a fraction of the time. Foreign keys, flushes and indexes are not what is
 * measured, and take most of the time that millions of rows take: the indexes are made again at the end.
 */
export async function seedWithoutIndexes(
  superuserUrl: string,
  world: Pick<World, 'shops'>,
  shops: number,
  purchases: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica; set synchronous_commit = off');
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(SECONDARY_INDEXES);
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    const query: World['query'] = async (text) => {
      if (text.startsWith('vacuum')) for (const { definition } of indexes) await client.query(definition);
      return (await client.query(text)).rows;
    };
    await seedManyShops({ ...world, query }, shops, purchases);
  } finally {
    await client.end();
  }
}

/** Those of partitions belong to their table's. Constraints keep theirs. */
const SECONDARY_INDEXES = `
  select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
  from pg_index join pg_class on pg_class.oid = indrelid
  where relkind = 'r' and not relispartition
    and relname in ('customers', 'outgoing_emails', 'purchases', 'download_links', 'deliveries', 'delivery_lines')
    and not exists (select from pg_constraint where conindid = indexrelid)`;
