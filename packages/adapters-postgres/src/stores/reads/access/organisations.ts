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
 * Each letter of the text is also found as a capital. Not with `lower`: which letters it knows depends on the database's locale.
 * No index: installations have few organisations, and only a person at a terminal names one.
 */
function isNamed(text: string) {
  const lower = text.trim().toLowerCase();
  // Others, such as ß, become two letters.
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
