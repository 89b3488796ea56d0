import { countGenuineRejected, deliverRejected, type Platform } from '@handover/domain';
import { clock, ids, tokens } from '../composition.ts';
import type { OpenedCommand } from './run-command.ts';

/** How many rejected requests are genuine by the secrets that are set now; delivers them if that is asked for. */
export async function tryRejectedAgain(
  { composition }: OpenedCommand,
  orgId: string,
  platform: Platform,
  deliver: boolean,
) {
  const stores = composition.resolve(tokens.stores);
  const ports = { ...stores, clock, ids, rejectedReader: composition.resolve(tokens.rejectedReader) };
  const rejectedThatVerify = await countGenuineRejected(ports, orgId, platform);
  const delivered = deliver ? await deliverRejected(ports, orgId, platform) : 0;
  return {
    json: { rejectedThatVerify, delivered },
    lines: describe(rejectedThatVerify, deliver ? delivered : null),
  };
}

function describe(genuine: number, delivered: number | null): readonly string[] {
  if (genuine === 0) return [];
  const some = genuine === 1 ? '1 delivery' : `${genuine} deliveries`;
  if (delivered === null) {
    return [
      `${some} that had been rejected within the last 7 days would be accepted now.`,
      'Say the same with --deliver-rejected to have what is in them delivered.',
    ];
  }
  return [`Of ${some} that had been rejected, ${delivered} went into the webhook log and are fulfilled now.`];
}
