import type { Organisation, Organisations } from '@handover/domain';
import type { Selectable } from 'kysely';
import type { Db, Schema } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';

export function readOrganisations(db: Db): Pick<Organisations, 'find' | 'list'> {
  return {
    find: async (orgId) => {
      if (!areIds(orgId)) return null;
      const row = await db.selectFrom('organisations').selectAll().where('id', '=', orgId).executeTakeFirst();
      return row ? toOrganisation(row) : null;
    },

    list: async ({ after, limit }) => {
      if (after !== null && !areIds(after)) return [];
      const rows = await db
        .selectFrom('organisations')
        .selectAll()
        .$if(after !== null, (query) => query.where('id', '>', after))
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(toOrganisation);
    },
  };
}

function toOrganisation(row: Selectable<Schema['organisations']>): Organisation {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    alertEmail: row.alert_email,
    defaultCurrency: row.currency,
    language: row.language,
    timeZone: row.time_zone,
    subscriptionExpiresAt: row.subscription_expires_at,
    createdAt: row.created_at,
  };
}
