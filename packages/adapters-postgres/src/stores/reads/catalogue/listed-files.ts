import { type RawBuilder, sql } from 'kysely';

/** The files of a version as JSON, within a select from `version_files`: as buyers see them, in their order. */
export const LISTED_FILES: RawBuilder<unknown> = sql.raw(`json_agg(
  json_strip_nulls(
    json_build_object('name', name, 'size', size, 'sha256', sha256, 'displayName', display_name)
  ) order by position, name
)`);
