const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Asked before a query: an id from outside that is no UUID is unknown, not an error of the database. */
export function areIds(...texts: readonly string[]): boolean {
  return texts.every((text) => UUID.test(text));
}
