import { type RawBuilder, sql } from 'kysely';

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
