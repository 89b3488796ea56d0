import { randomInt } from 'node:crypto';
import type { SampleOrders } from '@handover/adapters-http';
import { type Clock, type Connections, isPlatform, SHARED_PLATFORM } from '@handover/domain';
import { postSigned, readDeliveryId } from './cli/post-signed.ts';
import { SAMPLE_SENDERS } from './cli/sample-senders.ts';
import type { Settings } from './settings.ts';

/** Test orders of the dashboard, sent to this very server. */
export function createSampleOrders({
  connections,
  clock,
  settings,
}: {
  readonly connections: Connections;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'host' | 'port' | 'paymentsASecrets'>;
}): SampleOrders {
  return {
    send: async ({ orgId, platform, connectionId, sku, email }) => {
      const isShared = platform === SHARED_PLATFORM;
      const known = isShared ? [] : ((await connections.list(orgId, platform, clock.now())) ?? []);
      const secrets = isShared
        ? settings.paymentsASecrets
        : known.find(({ id }) => id === connectionId)?.secrets;
      const secret = secrets?.[0];
      if (secret === undefined) return { kind: 'not-set-up' };
      const orderId = String(randomInt(100_000, 1_000_000));
      if (!isPlatform(platform)) return { kind: 'not-set-up' };
      const request = SAMPLE_SENDERS[platform].sign(secret, { orderId, email, sku, orgId });
      const path = isShared ? `/webhooks/${platform}` : `/webhooks/${orgId}/${platform}`;
      const answered = await postSigned(ownAddress(settings), path, request);
      if (!answered) return { kind: 'unreachable' };
      const { status, answer } = answered;
      return status === 200
        ? { kind: 'arrived', orderId, deliveryId: readDeliveryId(answer) }
        : { kind: 'refused', status };
    },
  };
}

/** Past any proxy. A server that listens on every address of the machine listens on this one. */
function ownAddress({ host, port }: Pick<Settings, 'host' | 'port'>): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
