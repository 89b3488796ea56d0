const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Asked before a query: an id from outside that is no UUID is unknown, not an error of the database. */
export function areIds(...texts: readonly string[]): boolean {
  return texts.every((text) => UUID.test(text));
}

/** Comes before every UUIDv7 that is made from then on, and after each that was made before. */
export function firstIdAt(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
