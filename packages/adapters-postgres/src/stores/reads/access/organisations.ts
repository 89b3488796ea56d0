import type { Organisation, Organisations } from '@handover/domain';
import { type Selectable, sql } from 'kysely';
import type { Db, Schema } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';

export function readOrganisations(db: Db): Pick<Organisations, 'find' | 'findByName' | 'list'> {
  return {
    find: async (orgId) => {
      if (!areIds(orgId)) return null;
      const row = await db.selectFrom('organisations').selectAll().where('id', '=', orgId).executeTakeFirst();
      return row ? toOrganisation(row) : null;
    },

    findByName: async (name, limit) => {
      const rows = await db
        .selectFrom('organisations')
        .selectAll()
        .where(isNamed(name))
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(toOrganisation);
    },

    list: async ({ after, limit }) => {
      if (!areIds(after)) return [];
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

/**
 * Compares without case. Not with `lower` of PostgreSQL, because which letters it knows depends on the database's locale.
 * Needs no index: installations have few organisations, and only commands name one.
 */
function isNamed(text: string) {
  const lower = text.trim().toLowerCase();
  // The capital form of others, such as ß, is two letters.
  const letters = [...new Set(lower)].filter((letter) => [...letter.toUpperCase()].length === 1).join('');
  return sql<boolean>`translate(name, ${letters.toUpperCase()}, ${letters}) = ${lower}`;
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
