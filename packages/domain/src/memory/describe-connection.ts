import { ARRIVALS_PERIOD_MS, MAX_ARRIVALS } from '../access/connection-state.ts';
import { isShortSecret } from '../access/read-secret.ts';
import type { ConnectionFacts } from '../model/connection.ts';
import type { Memory } from './memory.ts';
import type { ConnectionRow } from './rows.ts';

/** What people may know of a connection. */
export function describeConnection(
  { accounts, deliveries }: Memory,
  { secrets, orgId: _, ...connection }: ConnectionRow,
  now: Date,
): ConnectionFacts {
  const newest = [...deliveries.values()]
    .filter(({ connectionId }) => connectionId === connection.id)
    .sort((a, b) => b.receivedAt.getTime() - a.receivedAt.getTime() || (a.id < b.id ? 1 : -1));
  const [last] = newest;
  const since = last ? last.receivedAt.getTime() - ARRIVALS_PERIOD_MS : 0;
  const lasting = secrets.filter(({ expiresAt }) => expiresAt === null);
  const formerEnds = secrets.flatMap(({ expiresAt }) => (expiresAt && expiresAt > now ? [expiresAt] : []));
  return {
    ...connection,
    secretSetAt: newestOf(lasting.map(({ setAt }) => setAt)),
    secretCount: lasting.length,
    hasShortSecret: lasting.some(({ secret }) => isShortSecret(connection.platform, secret)),
    formerUntil: newestOf(formerEnds),
    hasAccount: [...accounts.values()].some(({ connectionId }) => connectionId === connection.id),
    lastDelivery: last ? { id: last.id, at: last.receivedAt, orderId: last.orderId } : null,
    arrivals: newest
      .map(({ receivedAt }) => receivedAt)
      .filter((at) => at.getTime() >= since)
      .slice(0, MAX_ARRIVALS),
  };
}

function newestOf(times: readonly Date[]): Date | null {
  return times.reduce<Date | null>((newest, at) => (newest && newest > at ? newest : at), null);
}
