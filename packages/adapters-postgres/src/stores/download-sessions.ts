import type { DownloadSessionRow, DownloadSessions } from '@handover/domain';
import { SESSION_PAUSE_MS } from '@handover/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { areIds } from '../ids.ts';
import { inPages } from '../in-pages.ts';
import type { Schema } from '../schema.ts';

export function createPostgresDownloadSessions(db: Kysely<Schema>): DownloadSessions {
  return {
    begin: async (orgId, linkId, sessionId, at) => {
      if (!areIds(orgId, linkId)) return null;
      // Most requests join: those need no lock.
      const joined = await findJoinable(db, orgId, linkId, at);
      if (joined !== null) return joined;
      return db.transaction().execute(async (trx) => {
        if (!(await holdLink(trx, orgId, linkId))) return null;
        const begunMeanwhile = await findJoinable(trx, orgId, linkId, at);
        if (begunMeanwhile !== null) return begunMeanwhile;
        await trx
          .insertInto('download_sessions')
          .values({ org_id: orgId, id: sessionId, link_id: linkId, started_at: at, last_byte_at: at })
          .execute();
        return sessionId;
      });
    },

    addBytes: async (orgId, sessionId, bytes, at) => {
      if (!areIds(orgId, sessionId)) return;
      await db
        .updateTable('download_sessions')
        .set({
          bytes: sql<number>`bytes + ${bytes}`,
          // Of parallel requests the one that reports last need not be the latest.
          last_byte_at: sql<Date>`greatest(last_byte_at, ${at})`,
        })
        .where('org_id', '=', orgId)
        .where('id', '=', sessionId)
        .execute();
    },

    async *list(orgId, { from, until }) {
      if (!areIds(orgId)) return;
      yield* inPages<DownloadSessionRow>((after, limit) =>
        fetchPage(db, { orgId, from, until, after, limit }),
      );
    },
  };
}

/** Requests of one link that begin at the same moment take turns here: the second finds the first's session. */
async function holdLink(trx: Transaction<Schema>, orgId: string, linkId: string): Promise<boolean> {
  const link = await trx
    .selectFrom('download_links')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', linkId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return link !== undefined;
}

async function findJoinable(
  db: Kysely<Schema>,
  orgId: string,
  linkId: string,
  at: Date,
): Promise<string | null> {
  const latest = await db
    .selectFrom('download_sessions')
    .select(['id', 'last_byte_at', 'completed_at'])
    .where('org_id', '=', orgId)
    .where('link_id', '=', linkId)
    .orderBy('last_byte_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!latest || latest.completed_at !== null) return null;
  return at.getTime() - latest.last_byte_at.getTime() <= SESSION_PAUSE_MS ? latest.id : null;
}

async function fetchPage(
  db: Kysely<Schema>,
  {
    orgId,
    from,
    until,
    after,
    limit,
  }: {
    readonly orgId: string;
    readonly from: Date;
    readonly until: Date;
    readonly after: DownloadSessionRow | null;
    readonly limit: number;
  },
): Promise<readonly DownloadSessionRow[]> {
  const further = after
    ? sql`and (session.started_at, session.id) > (${after.startedAt}, ${after.id})`
    : sql``;
  const { rows } = await sql<Omit<DownloadSessionRow, 'bytes'> & { readonly bytes: string }>`
    with page as materialized (
      select * from download_sessions session
      where session.org_id = ${orgId} and session.started_at >= ${from} and session.started_at < ${until}
        ${further}
      order by session.started_at, session.id
      limit ${limit}
    )
    select
      page.id,
      page.started_at as "startedAt",
      page.last_byte_at as "lastByteAt",
      page.bytes,
      page.completed_at as "completedAt",
      purchase.id as "purchaseId",
      purchase.order_id as "orderId",
      product.name as "productName",
      version.version,
      customer.name as "customerName",
      customer.email as "customerEmail"
    from page
    join download_links link on link.org_id = page.org_id and link.id = page.link_id
    join purchases purchase on purchase.org_id = page.org_id and purchase.id = link.purchase_id
    join customers customer on customer.org_id = page.org_id and customer.id = purchase.customer_id
    join products product on product.org_id = page.org_id and product.id = purchase.product_id
    left join product_versions version
      on version.org_id = page.org_id
        and version.id = coalesce(purchase.version_id, product.active_version_id)
    order by page.started_at, page.id
  `.execute(db);
  return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }));
}
