import { type ConnectionFacts, NAMED_IN_METADATA } from '../model/connection.ts';
import { OUR_PLATFORMS, type Platform, type Platforms, SHARED_PLATFORM } from '../model/platform.ts';
import { REJECTED_LIFETIME_MS, type RejectionSummary } from '../model/rejected-delivery.ts';
import type { Clock } from '../ports/clock.ts';
import type { Connections } from '../ports/connections.ts';
import type { RejectedDeliveries } from '../ports/fulfilment.ts';

/** The number of latest deliveries from which the usual pause is computed. */
export const MAX_ARRIVALS = 100;
/** Deliveries that were received longer than this before the last one do not count for the usual pause. */
export const ARRIVALS_PERIOD_MS = 30 * 24 * 60 * 60 * 1000;

/** The state of a connection: see {@link evaluateConnection}. */
export type ConnectionState = 'working' | 'waiting' | 'quiet' | 'rejecting' | 'not-set-up' | 'unmapped';

/** A connection with its state. */
export interface EvaluatedConnection extends ConnectionFacts {
  readonly state: ConnectionState;
}

/** One platform of an organisation, with its connections, oldest first. */
export interface PlatformState {
  readonly platform: Platform;
  readonly connections: readonly EvaluatedConnection[];
  /** The kept rejected requests; null if there are none. No secret verified them, so they belong to no connection. */
  readonly rejected: RejectionSummary | null;
}

/** Reads the states of an organisation's connections, for each known platform and every other platform with a connection. */
export async function readConnectionStates(
  ports: {
    readonly clock: Clock;
    readonly connections: Pick<Connections, 'listFacts'>;
    readonly rejected: Pick<RejectedDeliveries, 'summary'>;
    /** Default: the built-in ones. */
    readonly platforms?: Platforms;
  },
  orgId: string,
): Promise<readonly PlatformState[]> {
  const now = ports.clock.now();
  const [facts, summaries] = await Promise.all([
    ports.connections.listFacts(orgId, now),
    ports.rejected.summary(orgId),
  ]);
  const { platforms: known = OUR_PLATFORMS } = ports;
  const platforms = new Set([...known.list(), ...facts.map(({ platform }) => platform)]);
  return [...platforms].map((platform) => {
    const rejected = summaries.find((summary) => summary.platform === platform && summary.kept > 0) ?? null;
    const connections = facts
      .filter((connection) => connection.platform === platform)
      .map((connection) => ({ ...connection, state: evaluateConnection(connection, rejected, now) }));
    return { platform, connections, rejected };
  });
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
/** With fewer pauses, the usual pause is unknown. */
const MIN_PAUSES = 5;
const QUIET_FACTOR = 4;

/**
 * Returns the state of a connection.
 *
 * - `not-set-up`: it has no secret, so it can receive nothing. (The service has the secrets of the shared platform.)
 * - `unmapped`: its account of the shared platform is no longer mapped, so it receives nothing any more.
 * - `rejecting`: requests were rejected in the last seven days, and nothing was accepted since. It is unknown for which of a
 *   platform's connections they were, so each connection that received nothing since has this state.
 * - `waiting`: it is set up, and has received nothing yet.
 * - `quiet`: it has received nothing for more than a day, and for more than four times its longest usual pause, the 95th
 *   percentile. Deliveries within a minute count as one, because platforms often send several.
 * - `working`: none of these.
 */
export function evaluateConnection(
  facts: Omit<ConnectionFacts, 'id' | 'rules' | 'secretCount' | 'hasShortSecret'>,
  rejected: Pick<RejectionSummary, 'lastAt'> | null,
  now: Date,
): ConnectionState {
  const { platform, name, secretSetAt, formerUntil, hasAccount, lastDelivery, arrivals } = facts;
  if (platform === SHARED_PLATFORM) {
    if (name !== NAMED_IN_METADATA && !hasAccount) return 'unmapped';
  } else if (secretSetAt === null && formerUntil === null) return 'not-set-up';
  if (rejected && isRejecting(rejected.lastAt, lastDelivery?.at ?? null, now)) return 'rejecting';
  if (lastDelivery === null) return 'waiting';
  const longest = longestUsualPause(arrivals);
  if (longest === null) return 'working';
  const silentFor = now.getTime() - lastDelivery.at.getTime();
  return silentFor > Math.max(DAY_MS, QUIET_FACTOR * longest) ? 'quiet' : 'working';
}

function isRejecting(rejectedAt: Date, deliveredAt: Date | null, now: Date): boolean {
  const isRecent = now.getTime() - rejectedAt.getTime() < REJECTED_LIFETIME_MS;
  return isRecent && (deliveredAt === null || deliveredAt < rejectedAt);
}

/** The 95th percentile of the pauses, in milliseconds; null if there are too few. */
function longestUsualPause(arrivals: readonly Date[]): number | null {
  const pauses = arrivals
    .slice(1)
    .map((earlier, at) => (arrivals[at] ?? earlier).getTime() - earlier.getTime())
    .filter((pause) => pause >= MINUTE_MS)
    .sort((a, b) => a - b);
  if (pauses.length < MIN_PAUSES) return null;
  return pauses[Math.ceil(pauses.length * 0.95) - 1] ?? null;
}
