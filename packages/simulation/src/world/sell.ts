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
import { composeDelivery, MANNERS, type Sale, type Stage } from './send-order.ts';

/**
 * A sale as its platform announces it: perhaps once before it is paid, then with that platform's duplicates, each
 * delivery retried for as long as the platform does. `number` decides all random choices.
 */
export function sell(world: World, sale: Sale): void {
  const manners = MANNERS[sale.platform];
  const draw = (limit: number) => world.random.below(limit);
  const deliveries: (readonly [Stage, Sale])[] = [];
  if (manners.announcesPlaced && draw(2) === 0) deliveries.push(['placed', sale]);
  const repeats = 1 + draw(manners.maxRepeats);
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    if (manners.sendsLinesApart) {
      for (const sku of sale.skus) deliveries.push(['paid', { ...sale, skus: [sku] }]);
    } else deliveries.push(['paid', sale]);
  }
  for (const [stage, part] of deliveries) {
    world.begin(`sending an order of ${sale.platform}`, () => deliver(world, part, stage));
  }
}

async function deliver(world: World, sale: Sale, stage: Stage): Promise<void> {
  const { retriesAfter } = MANNERS[sale.platform];
  for (const pause of [0, ...retriesAfter]) {
    if (pause > 0) await world.scheduler.sleep(world.outside, pause);
    const answer = await post(world, sale, stage);
    if (answer === null || answer.status !== 200) continue;
    world.ledger.acknowledged.push({ sale, stage, deliveryIds: answer.deliveryIds });
    return;
  }
}

/** One request to one of the web processes; null if no answer came in time, whatever its outcome there. */
async function post(world: World, sale: Sale, stage: Stage): Promise<WebhookAnswer | null> {
  const { scheduler, outside, shops, random } = world;
  world.begun += 1;
  await scheduler.turn(outside);
  // An unmapped account also signs with the one secret of payments-a.
  const shop = shops.find(({ orgId }) => orgId === sale.orgId) ?? shops[0];
  const secret = shop?.secrets[sale.platform] ?? '';
  const request = composeDelivery(sale, stage, secret, new Date(scheduler.now()));
  const slot = pickWeb(world);
  const isLost = random.perMille(world.faultsPerMille);
  const { promise, resolve } = Promise.withResolvers<WebhookAnswer | null>();
  void scheduler.sleep(outside, MANNERS[sale.platform].timeoutMs).then(() => resolve(null));
  slot.process.death.catch(() => resolve(null));
  receiveRequest(world, slot, sale, request).then(
    // The answer may be lost on its way back, or arrive after the timeout.
    (answer) => resolve(isLost ? null : answer),
    (error: unknown) => {
      world.failure ??= new Error(`A request failed: ${String(error)}`, { cause: error });
    },
  );
  const answer = await promise;
  world.trace.note(`${sale.platform} ${stage} is answered ${answer?.status ?? 'nothing'}`);
  return answer;
}

function pickWeb({ slots, random }: World): ProcessSlot {
  const web = slots.filter(({ role }) => role === 'web');
  const slot = web[random.below(web.length)];
  if (!slot) throw new Error('There is no web process.');
  return slot;
}

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
