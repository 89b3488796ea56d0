import type { SampleMembers } from '@handover/platform-contract';
import { sampleEvent, signForTest } from '@handover/platform-payments-a/testing';
import { SERVICE_SECRETS, type TestShop } from './open-test-shop.ts';

export interface SentEvent {
  readonly session?: SampleMembers;
  readonly event?: SampleMembers;
  readonly secret?: string;
  readonly at?: Date;
}

/** An event of the shared platform, genuine unless it is told otherwise: a paid session that names the shop. */
export function signEvent(
  { shop, clock }: TestShop,
  { session = {}, event = {}, secret = SERVICE_SECRETS[0] ?? '', at = clock.now() }: SentEvent = {},
) {
  const body = sampleEvent({ metadata: { org_id: shop.orgId, sku: 'pads' }, ...session }, event);
  return { payload: Buffer.from(body), headers: signForTest(secret, body, at) };
}

export function sendEvent(testShop: TestShop, sent: SentEvent = {}) {
  return testShop.app.inject({ method: 'POST', url: '/webhooks/payments-a', ...signEvent(testShop, sent) });
}
