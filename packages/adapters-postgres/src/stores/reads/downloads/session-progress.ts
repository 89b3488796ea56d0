import type { DownloadProgress } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';

/** The latest session of a link with the bytes sent of each file, in one statement. */
export async function findProgress(db: Db, orgId: string, linkId: string): Promise<DownloadProgress | null> {
  const { rows } = await sql<DownloadProgress>`
    select
      session.id,
      session.started_at as "startedAt",
      session.last_byte_at as "lastByteAt",
      session.completed_at as "completedAt",
      ${progressOfFiles(orgId)} as files
    from download_sessions session
    where session.org_id = ${orgId} and session.link_id = ${linkId}
    order by session.last_byte_at desc, session.id desc
    limit 1
  `.execute(db);
  return rows[0] ?? null;
}

/** The bytes sent of each file of a `session`. */
export function progressOfFiles(orgId: string): RawBuilder<unknown> {
  return sql`(
  select coalesce(json_agg(json_build_object(
    'version', file.version, 'name', file.name, 'size', file.size,
    'sent', (select coalesce(sum(upper(piece) - lower(piece)), 0) from unnest(file.sent) piece),
    'whole', int8range(0, file.size) <@ file.sent
  ) order by file.version collate "C", file.name collate "C"), '[]')
  from download_session_files file
  where file.org_id = ${orgId} and file.session_id = session.id
)`;
}
