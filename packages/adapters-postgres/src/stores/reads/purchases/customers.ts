import type { Customer, Customers } from '@handover/domain';
import { normalizeEmail } from '@handover/domain';
import type { Selectable } from 'kysely';
import type { Db, Schema } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';

export function readCustomers(db: Db): Pick<Customers, 'find' | 'findByEmail'> {
  const ofOrganisation = (orgId: string) =>
    db.selectFrom('customers').selectAll().where('org_id', '=', orgId);
  return {
    find: async (orgId, customerId) => {
      if (!areIds(orgId, customerId)) return null;
      const row = await ofOrganisation(orgId).where('id', '=', customerId).executeTakeFirst();
      return row ? toCustomer(row) : null;
    },
    findByEmail: async (orgId, email) => {
      if (!areIds(orgId)) return null;
      const row = await ofOrganisation(orgId)
        .where('email_normalized', '=', normalizeEmail(email))
        .executeTakeFirst();
      return row ? toCustomer(row) : null;
    },
  };
}

function toCustomer({ id, org_id, email, name, created_at }: Selectable<Schema['customers']>): Customer {
  return { id, orgId: org_id, email, name, createdAt: created_at };
}
