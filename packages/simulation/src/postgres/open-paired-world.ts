import type { Job, Stores } from '@handover/domain';
import { createInMemoryFileStore } from '@handover/domain/memory';
import { createFakeApiKeys, createFakeSessionTokens } from '@handover/testkit';
import { startProcess } from '../kernel/process.ts';
import { createRandom } from '../kernel/random.ts';
import { watchFulfilment } from '../rules/watch-fulfilment.ts';
import { watchReceipts } from '../rules/watch-receipts.ts';
import { openShops } from '../world/open-shops.ts';
import {
  addShops,
  createWorld,
  hashPlainly,
  type ProcessSlot,
  START,
  type World,
} from '../world/open-world.ts';
import { composeService } from '../world/service.ts';
import { createConnectionBreaker } from './break-connections.ts';
import { compareStates, pairAlertMails } from './compare-states.ts';
import type { SimulatedPostgres } from './open-postgres.ts';
import { pairStores, type Surroundings } from './pair-stores.ts';
import { createSequentialScheduler, type SequentialScheduler } from './sequential-scheduler.ts';
import { createTwinIds } from './twin-ids.ts';

/** A world whose stores are PostgreSQL and the memory at once. Events happen one after the other. */
export interface PairedWorld {
  readonly world: World;
  readonly scheduler: SequentialScheduler;
  /** Tasks that were begun and did not run yet. */
  readonly begun: Begun[];
  /** Resolves once no call is running. */
  idle(): Promise<void>;
  isBusy(): boolean;
  /** The number of calls so far. */
  calls(): number;
  /** Matches the alert mails of both stores: each store makes some ids itself. */
  pairAlertMails(): Promise<void>;
  /**
   * How the two differ; null if they are equal. `pages`: compares what ports and pages show as well, not only the
   * rows.
   */
  compare(pages: boolean): Promise<string | null>;
  /** Removes a finished job from both queues. */
  finishJob(key: string, job: Job): Promise<void>;
}

export interface Begun {
  readonly what: string;
  readonly work: () => Promise<void>;
}

export async function openPairedWorld(postgres: SimulatedPostgres, seed: number): Promise<PairedWorld> {
  await postgres.direct.clear();
  const scheduler = createSequentialScheduler(START);
  const ids = createTwinIds();
  const turns = createTurns();
  const begun: Begun[] = [];
  const fixed = {
    apiKeys: createFakeApiKeys(),
    sessionTokens: createFakeSessionTokens(),
    files: createInMemoryFileStore(hashPlainly),
  };
  const world = createWorld({
    scheduler,
    random: createRandom(seed),
    startAgain: ({ role }) => startIn(role),
    begin: (what, work) => {
      begun.push({ what, work });
    },
  });
  const { memory, stores } = world;
  const compare = (pages: boolean) =>
    compareStates(
      { postgres: postgres.direct, inMemory: stores, memory, ids },
      { orgIds: world.shops.map(({ orgId }) => orgId), now: new Date(scheduler.now()), pages },
    );
  const { surroundings, calls } = surround(world, postgres, {
    ids,
    exclusively: turns.exclusively,
    compareStates: () => compare(false),
  });
  const pairedWith = (inMemory: Stores) =>
    pairStores({ postgres: postgres.connect(), inMemory }, memory, surroundings);

  let started = 0;
  const startIn = (role: ProcessSlot['role']): ProcessSlot => {
    started += 1;
    return startSlot(world, { role, number: started, pairedWith, fixed });
  };
  addShops(world, await openShops(scheduler, pairedWith(stores), fixed.apiKeys));
  world.slots.push(startIn('web'), startIn('worker'));
  return {
    world,
    scheduler,
    begun,
    idle: turns.idle,
    calls,
    isBusy: turns.isBusy,
    pairAlertMails: () => pairAlertMails(postgres.direct, memory, ids),
    compare,
    finishJob: async (key, job) => {
      // A job that was queued again during its run runs once more.
      if (memory.jobs.get(key) !== job) return;
      memory.jobs.delete(key);
      await postgres.finishJob(job, ids.alertMailInMemory);
    },
  };
}

function startSlot(
  world: World,
  {
    role,
    number,
    pairedWith,
    fixed,
  }: {
    readonly role: ProcessSlot['role'];
    readonly number: number;
    readonly pairedWith: (inMemory: Stores) => Stores;
    readonly fixed: Pick<Parameters<typeof composeService>[0], 'apiKeys' | 'sessionTokens' | 'files'>;
  },
): ProcessSlot {
  const process = startProcess(world.scheduler, { name: `${role} ${number}`, number, skewMs: 0 });
  // One clock measures claims, the database's: processes with other clocks are part of the simulation without
  // PostgreSQL.
  const { clock, ids } = Object.assign(process, { skewClock: () => undefined });
  const paired = pairedWith(watchReceipts(world, process, watchFulfilment(world, world.stores)));
  const mailer = world.mailServer.connect(process);
  return {
    role,
    process,
    service: composeService({
      ...paired,
      ...fixed,
      readsOrders: () => !world.ofAnotherVersion.has(process),
      ...{ clock, ids, mailer, uploads: world.staging.port },
    }),
    skewMs: 0,
  };
}

/** What happens before and after each call: faults on the connections, which begin and end with it. */
function surround(
  world: World,
  postgres: SimulatedPostgres,
  given: Pick<Surroundings, 'ids' | 'exclusively' | 'compareStates'>,
): { readonly surroundings: Surroundings; calls(): number } {
  const breaker = createConnectionBreaker(postgres.proxy, () => world.random);
  const note = (what: string) => {
    world.trace.note(what);
    world.trace.count(`fault: ${what}`);
  };
  let fault: string | null = null;
  let calls = 0;
  const surroundings: Surroundings = {
    ...given,
    before: async (call) => {
      calls += 1;
      await postgres.setTime(new Date(world.scheduler.now()));
      if (fault !== null) return;
      fault = await breaker.arm(call, world.faultsPerMille);
      if (fault !== null) note(`${fault} in ${call}`);
    },
    after: async () => {
      if (fault === null) return;
      fault = null;
      await breaker.disarm();
      postgres.proxy.cut('reset');
      await postgres.untilDrained();
    },
    isBroken: () => fault !== null,
    diverge: (what) => {
      world.failure ??= new Error(what);
    },
    note: (call, what) => note(`${call} ${what}`),
  };
  return { surroundings, calls: () => calls };
}

function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    exclusively: <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
      waiting += 1;
      const answer = last.then(work).finally(() => {
        waiting -= 1;
      });
      last = answer.catch(() => undefined);
      return answer;
    },
    isBusy: () => waiting > 0,
    idle: async (): Promise<void> => {
      while (waiting > 0) await last;
    },
  };
}
