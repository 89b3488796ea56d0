import type { AssignableDelivery, UnassignedDeliveries, UnassignedDelivery } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds, FIRST_ID } from '../../../statements/ids.ts';
import { inPages } from '../../../statements/in-pages.ts';
import { countRows } from '../../../statements/rows.ts';

export function readUnassigned(db: Db): Pick<UnassignedDeliveries, 'list' | 'count' | 'listAssignable'> {
  return {
    list: async ({ after, limit }) => {
      if (!areIds(after)) return [];
      const { rows } = await sql<UnassignedDelivery>`
        select ${unassignedColumns} from unassigned_deliveries
        where id > ${after ?? FIRST_ID}
        order by id
        limit ${limit}
      `.execute(db);
      return rows;
    },

    count: () => countRows(db, sql`select from unassigned_deliveries`),

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

export const unassignedColumns = sql`
  id, account, org_hint as "orgHint", order_id as "orderId", order_number as "orderNumber",
  email_normalized as "normalizedEmail", problem, reason, received_at as "receivedAt"`;
