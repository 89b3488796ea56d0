import type { Job, MailAnswer, Order } from '@handover/domain';
import {
  type EmailMessage,
  fulfilDelivery,
  fulfilOrder,
  mapSku,
  redeliver,
  releaseEntries,
  resolveDelivery,
  sendEmail,
  setSubscription,
  unmapSku,
  updateProduct,
} from '@handover/domain';
import { createFakeComposing, makeLine, makeOrder, recordOrder } from '@handover/testkit';
import { jobKey } from '../../src/memory/memory.ts';
import { watchFulfilment } from './watch-fulfilment.ts';
import { ask, type World } from './world.ts';

/** Something that happens to a shop. Whatever it names by number is taken modulo what there is. */
export type Action =
  | {
      readonly kind: 'order';
      readonly connection: number;
      readonly orderId: string;
      readonly email: string | null;
      readonly skus: readonly string[];
      readonly fulfil: 'in-request' | 'in-background';
    }
  | { readonly kind: 'redeliver'; readonly entry: number }
  | { readonly kind: 'work'; readonly job: number; readonly answer: MailAnswer['kind']; readonly dies: Death }
  | {
      readonly kind: 'set-status';
      readonly product: number;
      readonly status: 'draft' | 'published' | 'archived';
    }
  | { readonly kind: 'set-live'; readonly product: number; readonly live: boolean }
  | { readonly kind: 'map'; readonly sku: string; readonly product: number | null; readonly own: boolean }
  | { readonly kind: 'unmap'; readonly sku: string; readonly own: boolean }
  | { readonly kind: 'subscription'; readonly lasts: boolean };

/** Whether a worker dies over its job, and when: then the job is still queued, and will be done again. */
export type Death = 'never' | 'before-noting' | 'before-finishing';

/** Waits a few turns, so that what happens at once takes turns in every order there is. */
export type Pause = () => Promise<void>;

export async function perform(world: World, action: Action, pause: Pause): Promise<void> {
  const { orgId } = world;
  switch (action.kind) {
    case 'order':
      return placeOrder(world, action, pause);
    case 'redeliver': {
      const deliveryId = [...world.orders.keys()].at(action.entry % Math.max(1, world.orders.size));
      const order = deliveryId === undefined ? undefined : world.orders.get(deliveryId);
      if (!deliveryId || !order) return;
      ask(world, deliveryId);
      await redeliver(fulfilmentPorts(world, order, pause), orgId, deliveryId);
      return;
    }
    case 'work':
      return work(world, action, pause);
    case 'set-status':
    case 'set-live':
      await pause();
      return changeProduct(world, action);
    case 'map':
    case 'unmap':
      await pause();
      return changeMapping(world, action);
    case 'subscription':
      await pause();
      return changeSubscription(world, action);
  }
}

async function placeOrder(world: World, action: Extract<Action, { kind: 'order' }>, pause: Pause) {
  const connection = world.connections[action.connection % world.connections.length];
  if (!connection) throw new Error('There is no connection.');
  const order = makeOrder(
    { orgId: world.orgId, connection },
    {
      orderId: action.orderId,
      customer: { email: action.email, name: 'Ana Lima' },
      lines: action.skus.map((sku) => makeLine(sku)),
    },
  );
  await pause();
  const { id } = await recordOrder(world, order);
  world.orders.set(id, order);
  ask(world, id);
  if (action.fulfil === 'in-request') {
    await fulfilOrder(fulfilmentPorts(world, order, pause), order, { id, attempts: 0 }).catch(leaveToJob);
  }
}

/** A request that never comes to a commit is answered 200 all the same, and its job goes on, or was quicker. */
function leaveToJob(error: unknown): void {
  const codes: readonly unknown[] = ['contended', 'decided-meanwhile'];
  if (!(error instanceof Error && 'code' in error && codes.includes(error.code))) throw error;
}

/** A worker takes a job that is due off the queue, and puts it back if it dies or is told to come again. */
async function work(world: World, action: Extract<Action, { kind: 'work' }>, pause: Pause): Promise<void> {
  await pause();
  const { jobs } = world.memory;
  const due = [...jobs.values()].filter(({ startAfter }) => startAfter <= world.clock.now());
  const job = due[action.job % Math.max(1, due.length)];
  if (!job) return;
  jobs.delete(jobKey(job));
  const putBack = (startAfter: Date) => {
    const again: Job = { ...job, startAfter };
    // The one that was queued meanwhile is the one that still has something to do.
    if (!jobs.has(jobKey(again))) jobs.set(jobKey(again), again);
  };
  try {
    const answer = await doJob(world, job, action, pause);
    if (answer) putBack(answer.again);
    else if (action.dies === 'before-finishing') putBack(job.startAfter);
  } catch (error) {
    if (!(error instanceof WorkerDied)) leaveToJob(error);
    putBack(job.startAfter);
  }
}

async function doJob(
  world: World,
  job: Job,
  { answer: kind, dies }: Extract<Action, { kind: 'work' }>,
  pause: Pause,
): Promise<{ readonly again: Date } | null> {
  if (job.kind === 'fulfil-delivery') {
    const order = world.orders.get(job.deliveryId);
    if (order) await fulfilDelivery(fulfilmentPorts(world, order, pause), job);
    return null;
  }
  if (job.kind === 'resolve-delivery') {
    const order = world.orders.get(job.deliveryId);
    // The delivery of another entry of its order asked for it.
    world.asked.set(job.deliveryId, (world.asked.get(job.deliveryId) ?? 0) + 1);
    if (order) await resolveDelivery(fulfilmentPorts(world, order, pause), job);
    return null;
  }
  if (job.kind === 'release-entries') {
    const before = new Set(world.memory.jobs.values());
    const answering = releaseEntries({ ...world, openDeliveries: world.stores.openDeliveries }, job);
    // The store in memory has queued them by now.
    for (const queued of world.memory.jobs.values()) {
      if (queued.kind === 'fulfil-delivery' && !before.has(queued)) ask(world, queued.deliveryId);
    }
    const answer = await answering;
    return answer === 'done' ? null : answer;
  }
  if (job.kind === 'run-bulk-action') throw new Error('No event of a sequence begins a bulk action.');
  if (job.emailKind === 'alert') return null;
  if (job.emailKind !== 'receipt')
    throw new Error(`No event of a sequence queues an e-mail of kind ${job.emailKind}.`);
  const mailer = {
    send: async (mail: EmailMessage) => {
      if (mail.kind !== 'receipt') throw new Error(`A receipt was a mail of kind ${mail.kind}.`);
      await pause();
      const answer = { kind, answer: `the server’s words: ${kind}` };
      world.mailings.push({ mail, answer });
      if (dies !== 'before-noting') return answer;
      world.interrupted.add(mail.mailId);
      throw new WorkerDied();
    },
  };
  const result = await sendEmail({ ...createFakeComposing(), ...world, ...world.stores, mailer }, job);
  return result.kind === 'not-now' ? { again: result.at } : null;
}

class WorkerDied extends Error {
  readonly code = 'worker-died';
}

async function changeSubscription(
  world: World,
  { lasts }: Extract<Action, { kind: 'subscription' }>,
): Promise<void> {
  await setSubscription({ ...world, ...world.stores }, world.orgId, lasts ? null : world.clock.now());
}

async function changeMapping(
  world: World,
  action: Extract<Action, { kind: 'map' | 'unmap' }>,
): Promise<void> {
  const { orgId, stores } = world;
  const { sku } = action;
  const platform = action.own ? 'storefront-a' : null;
  if (action.kind === 'unmap') await unmapSku(stores, orgId, { sku, platform });
  else {
    const productId = action.product === null ? null : waresAt(world, action.product).product.id;
    await mapSku(stores, orgId, { sku, platform, productId });
  }
}

async function changeProduct(
  world: World,
  action: Extract<Action, { kind: 'set-status' | 'set-live' }>,
): Promise<void> {
  const { product, versionId } = waresAt(world, action.product);
  const change =
    action.kind === 'set-status'
      ? { status: action.status }
      : { activeVersionId: action.live ? versionId : null };
  await updateProduct({ ...world, products: world.stores.products }, world.orgId, product.id, change);
}

function fulfilmentPorts(world: World, order: Order, pause: Pause) {
  const { deliveries } = world.stores;
  return {
    ...world,
    deliveries,
    fulfilment: watchFulfilment(world, order, pause),
    orders: { read: () => order },
  };
}

function waresAt({ wares }: World, at: number) {
  const found = wares[at % wares.length];
  if (!found) throw new Error('There are no products.');
  return found;
}
