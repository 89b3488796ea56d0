const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Checked before a query: an id from outside that is not a UUID is unknown, and must not cause an error of the
 * database. Null and undefined are ignored.
 */
export function areIds(...texts: readonly (string | null | undefined)[]): boolean {
  return texts.every((text) => text === null || text === undefined || UUID.test(text));
}

/** Greater than every UUIDv7 made before that time, and less than every one made from then on. */
export function firstIdAt(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Sorts before every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Sorts after every id. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
