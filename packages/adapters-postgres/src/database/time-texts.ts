import pg from 'pg';

const parse = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);

/**
 * Parses a time as pg does, in a third of the time: a long list has many of them. For a text of another style, pg returns null,
 * and an expired key without a time of expiry would work for ever.
 */
export function parseTime(text: string): Date {
  if (UTC_TIME.test(text)) return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
  const time = parse(text);
  if (time === null)
    throw new Error('PostgreSQL writes times in another style than ISO: set datestyle to ISO.');
  return time;
}

/** The time as `toISOString` writes it. Of a time in UTC it only moves characters. */
export function toIsoTime(text: string): string {
  if (!UTC_TIME.test(text)) return parseTime(text).toISOString();
  // PostgreSQL omits trailing zeros of a fraction. `Date` cuts it off at milliseconds.
  const fraction = text.length === UTC_TIME_LENGTH ? text.slice(20, 23) : text.slice(20, -3).padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3)}Z`;
}

/** The format of a session in UTC, the setting of most servers. */
const UTC_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00$/;
/** With milliseconds. */
const UTC_TIME_LENGTH = '2026-01-31 12:34:56.789+00'.length;

/** JSON has no type for times. Turns the texts of members such as `at` and `createdAt` into times, at any depth. */
export function reviveTimes<Value>(value: Value): Value {
  const revive = (found: unknown): unknown => {
    if (Array.isArray(found)) return found.map(revive);
    if (typeof found !== 'object' || found === null || found instanceof Date) return found;
    const members = Object.entries(found).map(([name, member]) => {
      const isTime = typeof member === 'string' && /^at$|At$/.test(name);
      return [name, isTime ? new Date(member) : revive(member)];
    });
    return Object.fromEntries(members);
  };
  return revive(value) as Value;
}
