/**
 * The events of a batch, each still to be checked; null when the body is none. One event, or one order, that comes
 * without the batch around it is taken for what it is: it was signed, and its sender meant something by it.
 */
export function listEvents(payload: unknown): readonly unknown[] | null {
  if (typeof payload !== 'object' || payload === null) return null;
  if ('events' in payload) return Array.isArray(payload.events) ? payload.events : null;
  if ('data' in payload) return [payload];
  return 'items' in payload ? [{ data: payload }] : null;
}
