import type { Customers } from '@handover/domain';
import { normalizeEmail } from '@handover/domain';
import type { Db } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';

export function createPostgresCustomers(db: Db): Customers {
  return {
    findByEmail: async (orgId, email) => {
      if (!areIds(orgId)) return null;
      const row = await db
        .selectFrom('customers')
        .selectAll()
        .where('org_id', '=', orgId)
        .where('email_normalized', '=', normalizeEmail(email))
        .executeTakeFirst();
      if (!row) return null;
      const { id, org_id, email: typed, name, created_at } = row;
      return { id, orgId: org_id, email: typed, name, createdAt: created_at };
    },
  };
}
