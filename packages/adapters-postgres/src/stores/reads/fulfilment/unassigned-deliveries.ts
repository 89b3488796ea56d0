import type { AssignableDelivery, UnassignedDeliveries, UnassignedDelivery } from '@handover/domain';
import { type Selectable, sql } from 'kysely';
import type { Db, Schema } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';
import { inPages } from '../../../statements/in-pages.ts';

export function readUnassigned(db: Db): Pick<UnassignedDeliveries, 'list' | 'count' | 'listAssignable'> {
  return {
    list: async ({ after, limit }) => {
      if (after !== null && !areIds(after)) return [];
      const rows = await db
        .selectFrom('unassigned_deliveries')
        .select([
          'id',
          'account',
          'org_hint',
          'order_id',
          'order_number',
          'email_normalized',
          'problem',
          'reason',
          'received_at',
        ])
        .$if(after !== null, (query) => query.where('id', '>', after))
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(toDelivery);
    },

    count: async () => {
      const { count } = await db
        .selectFrom('unassigned_deliveries')
        .select((select) => select.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    listAssignable: (account) =>
      inPages<AssignableDelivery>((after, limit) => fetchAssignable(db, account, after, limit)),
  };
}

/** A hint that is not a UUID names no organisation, and must not cause an error of the database. */
async function fetchAssignable(
  db: Db,
  account: string | null,
  after: AssignableDelivery | null,
  limit: number,
): Promise<readonly AssignableDelivery[]> {
  const ofAccount = account === null ? sql`` : sql`and waiting.account = ${account}`;
  const further = after ? sql`and waiting.id > ${after.id}` : sql``;
  const { rows } = await sql<AssignableDelivery>`
    select waiting.id, coalesce(mapped.org_id, named.id) as "orgId", waiting.account
    from unassigned_deliveries waiting
    left join payment_accounts mapped on mapped.account = waiting.account
    left join organisations named on waiting.account is null and named.id = (
      case when waiting.org_hint ~* ${UUID} then waiting.org_hint::uuid end
    )
    where coalesce(mapped.org_id, named.id) is not null ${ofAccount} ${further}
    order by waiting.id
    limit ${limit}
  `.execute(db);
  return rows;
}

const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

export function toDelivery(row: Omit<Row, 'bytes' | 'headers'>): UnassignedDelivery {
  return {
    id: row.id,
    account: row.account,
    orgHint: row.org_hint,
    orderId: row.order_id,
    orderNumber: row.order_number,
    normalizedEmail: row.email_normalized,
    problem: row.problem,
    reason: row.reason,
    receivedAt: row.received_at,
  };
}

export type Row = Selectable<Schema['unassigned_deliveries']>;
