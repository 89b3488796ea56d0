import type { ProductFile, Products } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { transact } from '../../../database/transact.ts';
import { areIds } from '../../../statements/ids.ts';
import { toFile } from '../../reads/catalogue/product-versions.ts';
import { moveRevision } from './catalogue-revision.ts';
import { addContent } from './removable-contents.ts';

type Files = Pick<Products, 'putFile' | 'nameFile' | 'orderFiles' | 'removeFile'>;

/** The files of versions. */
export function createPostgresVersionFiles(db: Db): Files {
  return {
    putFile: async (orgId, versionId, file) =>
      areIds(orgId, versionId) ? putFile(db, orgId, versionId, file) : 'frozen',

    nameFile: async (orgId, versionId, name, displayName) => {
      if (!areIds(orgId, versionId)) return false;
      const named = await db
        .updateTable('version_files')
        .set({ display_name: displayName })
        .where('org_id', '=', orgId)
        .where('version_id', '=', versionId)
        .where('name', '=', name)
        .returning('name')
        .executeTakeFirst();
      return named !== undefined;
    },

    orderFiles: async (orgId, versionId, names) =>
      areIds(orgId, versionId) ? orderFiles(db, orgId, versionId, names) : 'changed',

    removeFile: async (orgId, productId, versionId, name) =>
      areIds(orgId, productId, versionId)
        ? removeFile(db, orgId, productId, versionId, name)
        : 'unknown-file',
  };
}

/**
 * Locks the version's row while the file is written, so that the version cannot go live between the check and the write. The
 * file that is replaced is read first, because Citus runs the parts of a statement one after the other, and a later part sees
 * what an earlier one wrote. Of two concurrent replacements, the second may read the same old file as the first. That is no
 * problem: the content that the first one wrote was added to the removable contents when it was uploaded.
 */
async function putFile(
  db: Db,
  orgId: string,
  versionId: string,
  file: ProductFile,
): Promise<'saved' | 'unchanged' | 'frozen'> {
  const { rows } = await sql<{ readonly isOpen: boolean; readonly isSaved: boolean }>`
    with open_version as (
      select org_id, id from product_versions
      where org_id = ${orgId} and id = ${versionId} and status = 'preparing'
      for share
    ), replaceable as materialized (
      select org_id, sha256 from version_files
      where org_id = ${orgId} and version_id = ${versionId} and name = ${file.name} and sha256 <> ${file.sha256}
    ), saved as (
      insert into version_files as former (org_id, version_id, name, size, sha256, position)
      select org_id, id, ${file.name}, ${file.size}, ${file.sha256}, (
        select coalesce(max(position) + 1, 0) from version_files
        where org_id = ${orgId} and version_id = ${versionId} and position > 0
      )
      from open_version
      on conflict (org_id, version_id, name) do update set size = excluded.size, sha256 = excluded.sha256
      where (former.size, former.sha256) is distinct from (excluded.size, excluded.sha256)
      returning name
    ), replaced as (
      insert into removable_contents (org_id, sha256)
      select org_id, sha256 from replaceable where exists (select from saved)
      on conflict (org_id, sha256) do update set due_at = null
    )
    select exists (select from open_version) as "isOpen", exists (select from saved) as "isSaved"
  `.execute(db);
  const [row] = rows;
  if (row?.isSaved) return 'saved';
  return row?.isOpen ? 'unchanged' : 'frozen';
}

/** Locks the version's row, so that concurrent changes of its files run one after the other. */
function orderFiles(
  db: Db,
  orgId: string,
  versionId: string,
  names: readonly string[],
): Promise<'ordered' | 'changed'> {
  return transact<'ordered' | 'changed'>(db, async (trx, giveUp) => {
    await trx
      .selectFrom('product_versions')
      .select('id')
      .where('org_id', '=', orgId)
      .where('id', '=', versionId)
      .forUpdate()
      .execute();
    const { rows } = await sql`
      update version_files file set position = wanted.position
      from unnest(${names}::text[]) with ordinality wanted (name, position)
      where file.org_id = ${orgId} and file.version_id = ${versionId} and file.name = wanted.name
        and cardinality(${names}::text[]) = (
          select count(*) from version_files where org_id = ${orgId} and version_id = ${versionId}
        )
      returning file.name
    `.execute(trx);
    return rows.length > 0 && rows.length === names.length ? 'ordered' : giveUp('changed');
  });
}

/** The revision's lock keeps the version from going live and from being sold meanwhile. */
function removeFile(
  db: Db,
  orgId: string,
  productId: string,
  versionId: string,
  name: string,
): ReturnType<Products['removeFile']> {
  return transact<Awaited<ReturnType<Products['removeFile']>>>(db, async (trx, giveUp) => {
    await moveRevision(trx, orgId);
    const { rows } = await sql<Record<'isLive' | 'isBought' | 'isLast', boolean>>`
      select
        exists (
          select from products where org_id = ${orgId} and id = ${productId} and active_version_id = version.id
        ) as "isLive",
        version.status = 'ready' and exists (
          select from purchases
          where org_id = ${orgId} and product_id = ${productId} and version_id = version.id
        ) as "isBought",
        version.status = 'ready' and 1 = (
          select count(*) from version_files where org_id = ${orgId} and version_id = version.id
        ) as "isLast"
      from product_versions version
      join version_files file on file.org_id = ${orgId} and file.version_id = version.id and file.name = ${name}
      where version.org_id = ${orgId} and version.product_id = ${productId} and version.id = ${versionId}
      for update of version
    `.execute(trx);
    const [found] = rows;
    if (!found) return giveUp('unknown-file');
    if (found.isLive) return giveUp('live');
    if (found.isBought) return giveUp('bought');
    if (found.isLast) return giveUp('last');
    const removed = await trx
      .deleteFrom('version_files')
      .where('org_id', '=', orgId)
      .where('version_id', '=', versionId)
      .where('name', '=', name)
      .returning(['name', 'size', 'sha256', 'display_name'])
      .executeTakeFirst();
    if (!removed) return giveUp('unknown-file');
    await addContent(trx, orgId, removed.sha256);
    return toFile(removed);
  });
}
