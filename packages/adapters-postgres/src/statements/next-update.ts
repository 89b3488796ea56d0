import { type RawBuilder, sql } from 'kysely';

/**
 * The new `updated_at` of a row: always later than before, even within one tick, so that it distinguishes two states of the
 * row. The sum has no time zone, because one with a time zone depends on the session, and Citus refuses it in an update.
 */
export function nextUpdate(now: Date): RawBuilder<Date> {
  return sql<Date>`greatest(${now}, (updated_at at time zone 'utc' + interval '1 millisecond') at time zone 'utc')`;
}
