import type { ContentAddress, StoredContents } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { runTransaction } from '../../../database/transact.ts';
import { areIds } from '../../../statements/ids.ts';

/** A row's lock decides between a content that is stored again and one that is removed. */
export function createPostgresContents(db: Db): StoredContents {
  return {
    keep: async ({ orgId, sha256 }, expiredBefore) => {
      if (!areIds(orgId)) return 'kept';
      const { rows } = await sql`
        insert into removable_contents as former (org_id, sha256) values (${orgId}, ${sha256})
        on conflict (org_id, sha256) do update set due_at = null, claimed_at = null
        where former.claimed_at is null or former.claimed_at <= ${expiredBefore}
        returning sha256
      `.execute(db);
      return rows.length > 0 ? 'kept' : 'removing';
    },
    claim: async ({ now, dueAt, retryAt, limit }) => {
      await sql`update removable_contents set due_at = ${dueAt} where due_at is null`.execute(db);
      return runTransaction(db, async (trx) => {
        const claimed = await sql<ContentAddress>`
          with due as (
            select org_id, sha256 from removable_contents where due_at <= ${now} order by due_at limit ${limit}
          )
          update removable_contents content set claimed_at = ${now}, due_at = ${retryAt} from due
          where content.org_id = due.org_id and content.sha256 = due.sha256 and content.due_at <= ${now}
          returning content.org_id as "orgId", content.sha256
        `.execute(trx);
        if (claimed.rows.length === 0) return { count: 0, unreferenced: [] };
        // The rows are locked, so a transaction that stores one of these contents waits. Every file that was stored before is
        // seen here: a content is never due before its file is committed.
        const referenced = await sql<ContentAddress>`
          delete from removable_contents content using version_files file
          where content.claimed_at = ${now} and file.org_id = content.org_id and file.sha256 = content.sha256
          returning content.org_id as "orgId", content.sha256
        `.execute(trx);
        const kept = new Set(referenced.rows.map(keyOf));
        const unreferenced = claimed.rows.filter((row) => !kept.has(keyOf(row)));
        return { count: claimed.rows.length, unreferenced };
      });
    },
    forget: async ({ orgId, sha256 }, claimedAt) => {
      await db
        .deleteFrom('removable_contents')
        .where('org_id', '=', orgId)
        .where('sha256', '=', sha256)
        .where('claimed_at', '=', claimedAt)
        .execute();
    },
  };
}

/** Adds the content of a file that was removed. If it is claimed, the claim stays valid. */
export async function addContent(trx: Db, orgId: string, sha256: string): Promise<void> {
  await sql`
    insert into removable_contents (org_id, sha256) values (${orgId}, ${sha256})
    on conflict (org_id, sha256) do update set due_at = null
  `.execute(trx);
}

function keyOf({ orgId, sha256 }: ContentAddress): string {
  return `${orgId} ${sha256}`;
}
