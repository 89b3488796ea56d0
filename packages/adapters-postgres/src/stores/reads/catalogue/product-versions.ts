import type { ProductFile, Products, VersionWithFiles } from '@handover/domain';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, Schema } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';

export function readVersions(
  db: Db,
): Pick<Products, 'listVersions' | 'listFiles' | 'findVersion' | 'findVersionByLabel'> {
  return {
    listFiles: async (orgId, versionIds) => {
      if (versionIds.length === 0 || !areIds(orgId, ...versionIds)) return new Map();
      const rows = await db
        .selectFrom('version_files')
        .selectAll()
        .where('org_id', '=', orgId)
        .where('version_id', 'in', versionIds)
        .orderBy('position')
        .orderBy('name')
        .execute();
      const byVersion = Map.groupBy(rows, (row) => row.version_id);
      return new Map([...byVersion].map(([id, files]) => [id, files.map(toFile)]));
    },

    listVersions: async (orgId, productId, limit) =>
      areIds(orgId, productId) ? listVersions(db, orgId, productId, limit) : [],

    findVersion: async (orgId, productId, versionId) =>
      areIds(orgId, productId, versionId) ? findVersion(db, orgId, productId, 'version.id', versionId) : null,

    findVersionByLabel: async (orgId, productId, label) =>
      areIds(orgId, productId) ? findVersion(db, orgId, productId, 'version.version', label) : null,
  };
}

async function findVersion(
  db: Db,
  orgId: string,
  productId: string,
  column: 'version.id' | 'version.version',
  value: string,
): Promise<VersionWithFiles | null> {
  const rows = await selectFiles(db, orgId, productId).where(column, '=', value).execute();
  return rows.length > 0 ? toVersion(rows) : null;
}

async function listVersions(
  db: Db,
  orgId: string,
  productId: string,
  limit: number,
): Promise<readonly VersionWithFiles[]> {
  const rows = await selectFiles(db, orgId, productId)
    .where('version.id', 'in', (newest) =>
      newest
        .selectFrom('product_versions')
        .select('id')
        .where('org_id', '=', orgId)
        .where('product_id', '=', productId)
        .orderBy('id', 'desc')
        .limit(limit),
    )
    .execute();
  return [...Map.groupBy(rows, ({ id }) => id).values()].map(toVersion);
}

/** A row for each file of each version; a row without a file for a version that has none. */
function selectFiles(db: Db, orgId: string, productId: string) {
  return db
    .selectFrom('product_versions as version')
    .leftJoin('version_files as file', (join) =>
      join.on('file.org_id', '=', orgId).onRef('file.version_id', '=', 'version.id'),
    )
    .selectAll('version')
    .select(['file.name', 'file.size', 'file.sha256', 'file.display_name'])
    .where('version.org_id', '=', orgId)
    .where('version.product_id', '=', productId)
    .orderBy('version.id', 'desc')
    .orderBy('file.position')
    .orderBy('file.name');
}

type FileRow = Selectable<Schema['product_versions']> & {
  readonly name: string | null;
  readonly size: string | null;
  readonly sha256: string | null;
  readonly display_name: string | null;
};

function toVersion(rows: readonly FileRow[]): VersionWithFiles {
  const [row] = rows;
  if (!row) throw new TypeError('A version has at least one row.');
  return {
    id: row.id,
    productId: row.product_id,
    version: row.version,
    status: row.status,
    createdAt: row.created_at,
    liveSince: row.live_since,
    files: rows.flatMap(({ name, size, sha256, display_name }) =>
      name !== null && size !== null && sha256 !== null ? [toFile({ name, size, sha256, display_name })] : [],
    ),
  };
}

export function toFile({
  name,
  size,
  sha256,
  display_name: displayName,
}: Pick<Selectable<Schema['version_files']>, 'name' | 'size' | 'sha256' | 'display_name'>): ProductFile {
  return { name, size: Number(size), sha256, ...(displayName === null ? {} : { displayName }) };
}

/** A joined `version` with its files, as buyers see them and in their order. Null if there is none. */
export function versionWithFiles(orgId: string | RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    case when version.id is not null then json_build_object('label', version.version, 'files', coalesce((
      select json_agg(
        json_strip_nulls(
          json_build_object('name', name, 'size', size, 'sha256', sha256, 'displayName', display_name)
        ) order by position, name
      )
      from version_files where org_id = ${orgId} and version_id = version.id
    ), '[]')) end
  `;
}
