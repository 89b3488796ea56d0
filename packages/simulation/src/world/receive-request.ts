import {
  checkHead,
  type DatabaseProbe,
  organisationAddress,
  receiveWebhook,
  sharedAddress,
  WEBHOOK_STATUSES,
  type WebhookOutcome,
  type WebhookPorts,
} from '@handover/adapters-http/webhooks';
import type { Timer } from '@handover/domain';
import type { InboundDelivery } from '@handover/platform-contract';
import type { SignedRequest } from '@handover/platform-contract/testing';
import { readTenantRef } from '@handover/platform-payments-a';
import type { SimulatedProcess } from '../kernel/process.ts';
import type { Scheduler } from '../kernel/scheduler.ts';
import { isExpected } from './expected-errors.ts';
import type { ProcessSlot, World } from './open-world.ts';
import { PLATFORM_WEBHOOKS } from './platforms.ts';
import type { Sale } from './send-order.ts';

/** The response to the sender of a webhook. */
export interface WebhookAnswer {
  readonly status: (typeof WEBHOOK_STATUSES)[WebhookOutcome['kind']];
  readonly deliveryIds: readonly string[];
}

/** One process receives one request, with the functions that its HTTP routes call. */
export async function receiveRequest(
  world: World,
  { process, service }: ProcessSlot,
  { orgId, platform: label }: Pick<Sale, 'orgId' | 'platform'>,
  request: SignedRequest,
): Promise<WebhookAnswer> {
  const timer = createTimer(world.scheduler, process);
  const ports: WebhookPorts = { ...service, timer, database: createProbe(world, timer) };
  const platform = PLATFORM_WEBHOOKS[label];
  const inbound: InboundDelivery = { platform: label, ...request, receivedAt: service.clock.now() };
  const secrets = world.shops.map((shop) => shop.secrets[label]);
  const address =
    label === 'payments-a'
      ? sharedAddress(service, { secrets, readTenantRef })
      : organisationAddress(ports, label, orgId);
  const head = await checkHead(ports, platform, address, inbound);
  const outcome =
    head.kind === 'accepted'
      ? await receiveWebhook(ports, platform, address, head.connections, inbound)
      : head;
  const error = findError(outcome);
  if (error !== null && !isExpected(error)) {
    world.failure ??= new Error(`A webhook failed: ${String(error)}`, { cause: error });
  }
  const deliveries = 'deliveries' in outcome ? outcome.deliveries : [];
  return { status: WEBHOOK_STATUSES[outcome.kind], deliveryIds: deliveries.map(({ id }) => id) };
}

function findError(outcome: WebhookOutcome): unknown {
  if (outcome.kind === 'not-recorded') return outcome.error;
  return outcome.kind === 'recorded' && outcome.trouble?.kind === 'failed' ? outcome.trouble.error : null;
}

/** The timers of a process: they end with it, and stop while it is frozen. */
function createTimer(scheduler: Scheduler, process: SimulatedProcess): Timer {
  return {
    start: (milliseconds, then) => {
      let isOn = true;
      void scheduler.sleep(process, milliseconds).then(() => {
        if (isOn) then();
      });
      return () => {
        isOn = false;
      };
    },
    yieldTurn: () => scheduler.turn(process),
  };
}

/** The database seems down as often as other calls to it fail. */
function createProbe(world: World, timer: Timer): DatabaseProbe {
  return {
    answers: async () => {
      await timer.yieldTurn();
      return !world.random.perMille(world.faultsPerMille);
    },
  };
}
