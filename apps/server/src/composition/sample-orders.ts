import { randomInt } from 'node:crypto';
import type { SampleOrders } from '@handover/adapters-http';
import {
  type Clock,
  listSharedSecrets,
  SHARED_PLATFORM,
  type SharedSecretSettings,
  type Stores,
} from '@handover/domain';
import type { PlatformWebhooks } from '@handover/platform-contract';
import type { SignedRequest } from '@handover/platform-contract/testing';
import type { FastifyInstance } from 'fastify';
import type { TestOrderMarks } from '../keyring/keyring.ts';

/** Test orders of the dashboard, which this app receives itself: it alone is certainly reachable. */
export function createSampleOrders({
  stores,
  clock,
  sharedSecretSettings,
  marks,
  app,
  webhooks,
}: {
  readonly stores: Pick<Stores, 'connections' | 'sharedSecrets'>;
  readonly clock: Clock;
  readonly sharedSecretSettings: SharedSecretSettings;
  readonly marks: Pick<TestOrderMarks, 'make'>;
  app(): Pick<FastifyInstance, 'inject'>;
  readonly webhooks: PlatformWebhooks;
}): SampleOrders {
  return {
    send: async ({ orgId, platform, connectionId, sku, email, name }) => {
      const isShared = platform === SHARED_PLATFORM;
      const now = clock.now();
      const known = isShared ? [] : ((await stores.connections.list(orgId, platform, now)) ?? []);
      const secrets = isShared
        ? await listSharedSecrets(stores, sharedSecretSettings, now)
        : known.find(({ id }) => id === connectionId)?.secrets;
      const secret = secrets?.[0];
      if (secret === undefined) return { kind: 'not-set-up' };
      const orderId = String(randomInt(100_000, 1_000_000));
      const sample = webhooks[platform]?.sample;
      if (!sample) return { kind: 'no-sample' };
      const request = sample.sign(secret, { orderId, email, name, sku, orgId });
      const path = isShared ? `/webhooks/${platform}` : `/webhooks/${orgId}/${platform}`;
      const { statusCode: status, body } = await app().inject({
        method: 'POST',
        url: path,
        query: { ...request.query },
        headers: { ...request.headers, ...marks.make(request.body) },
        payload: Buffer.from(request.body),
      });
      return status === 200
        ? { kind: 'arrived', orderId, deliveryId: readDeliveryId(parseIfJson(body)) }
        : { kind: 'refused', status };
    },
  };
}

/** Posts a request as a platform would. Rejects as fetch does when no server answers. */
export async function postSigned(
  serverUrl: string,
  path: string,
  { headers, body, query }: SignedRequest,
): Promise<{ readonly status: number; readonly answer: unknown }> {
  const url = new URL(`${serverUrl}${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const options = { method: 'POST', headers, body: Buffer.from(body), signal: AbortSignal.timeout(30_000) };
  const response = await fetch(url, options);
  return { status: response.status, answer: parseIfJson(await response.text()) };
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function readDeliveryId(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || !('deliveryId' in answer)) return null;
  return typeof answer.deliveryId === 'string' ? answer.deliveryId : null;
}
