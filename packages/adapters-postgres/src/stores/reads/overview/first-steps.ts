import type { FirstSteps } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';

/** What a new organisation has done already. Without an organisation, nothing. */
export async function readFirstSteps(db: Db, orgId: string | null): Promise<FirstSteps> {
  const { rows } = await sql<FirstSteps>`
    select
      exists (
        select from organisations where id = ${orgId} and currency is not null
      ) as "hasCurrency",
      exists (
        select from product_versions where org_id = ${orgId} and status = 'ready'
      ) as "hasUploaded",
      exists (select from connection_secrets where org_id = ${orgId})
        or exists (select from payment_accounts where org_id = ${orgId}) as "hasConnected",
      exists (select from deliveries where org_id = ${orgId} and order_id is not null) as "hasReceived",
      exists (select from purchases where org_id = ${orgId}) as "hasSold"
  `.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The first steps are always one row.');
  return row;
}
