import type { PlatformWebhook } from '@handover/platform-contract';
import { storefrontA } from '@handover/platform-storefront-a';
import { signedSample } from '@handover/platform-storefront-a/testing';
import { expect, test } from 'vitest';
import { systemTimer } from '../src/system-timer.ts';
import { receiveWebhook } from '../src/webhooks/receive-webhook.ts';
import { organisationAddress } from '../src/webhooks/webhook-address.ts';
import { openTestShop } from './open-test-shop.ts';
import { SALE } from './send-webhook.ts';

const DEFERRED: PlatformWebhook = { ...storefrontA, answers: 'after-recording' };

/** Receives one genuine webhook with a single order. */
async function receive(
  platform: PlatformWebhook,
  {
    timer = systemTimer,
    padding = 0,
    ...open
  }: { timer?: typeof systemTimer; padding?: number; changePorts?: Parameters<typeof openTestShop>[0] } = {},
) {
  const { ports, shop } = await openTestShop(open.changePorts);
  const { body, headers } = signedSample('test-secret', { ...SALE, sku: `pads${' '.repeat(padding)}` });
  const address = organisationAddress(ports, 'storefront-a', shop.orgId);
  const inbound = { platform: platform.label, body, headers, query: {}, receivedAt: ports.clock.now() };
  const connections = (await address.listConnections(inbound.receivedAt, 'newest')) ?? [];
  return receiveWebhook({ ...ports, timer }, platform, address, connections, inbound);
}

/** The timers that one webhook starts, and how often it lets others go first. */
async function countTimers(platform: PlatformWebhook, padding = 0) {
  const counts = { timers: 0, yields: 0 };
  const timer: typeof systemTimer = {
    start: (milliseconds, then) => {
      counts.timers += 1;
      return systemTimer.start(milliseconds, then);
    },
    yieldTurn: async () => {
      counts.yields += 1;
    },
  };
  expect((await receive(platform, { timer, padding })).kind).toBe('recorded');
  return counts;
}

test('an order of the usual size goes from its bytes to its record without a pause', async () => {
  expect(await countTimers(DEFERRED)).toEqual({ timers: 1, yields: 0 });
});

test('other requests are let in between the steps of a large body', async () => {
  expect(await countTimers(DEFERRED, 100_000)).toMatchObject({ yields: 2 });
});

test('only an order that is fulfilled before the answer has a deadline for it', async () => {
  expect(await countTimers(storefrontA)).toMatchObject({ timers: 2 });
});

test('what is known of an inline order is loaded once, while its request is recorded', async () => {
  const loading = Promise.withResolvers<void>();
  let loads = 0;
  const outcome = await receive(storefrontA, {
    changePorts: ({ deliveries, fulfilment }) => ({
      deliveries: {
        ...deliveries,
        record: async (recording) => loading.promise.then(() => deliveries.record(recording)),
      },
      fulfilment: {
        ...fulfilment,
        loadSnapshot: (order) => {
          loads += 1;
          loading.resolve();
          return fulfilment.loadSnapshot(order);
        },
      },
    }),
  });
  expect(outcome).toMatchObject({ kind: 'recorded', trouble: null });
  expect(loads).toBe(1);
});

test('a request is refused, and nothing else fails, when neither recording nor loading works', async () => {
  const fail = async () => Promise.reject(new Error('lost connection'));
  const outcome = await receive(storefrontA, {
    changePorts: ({ deliveries, fulfilment }) => ({
      deliveries: { ...deliveries, record: fail },
      fulfilment: { ...fulfilment, loadSnapshot: fail },
    }),
  });
  expect(outcome.kind).toBe('not-recorded');
});
