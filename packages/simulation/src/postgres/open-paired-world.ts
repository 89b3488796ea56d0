import type { Job, Stores } from '@handover/domain';
import { createInMemoryFileStore, createInMemoryStores } from '@handover/domain/memory';
import { createFakeApiKeys, createFakeSessionTokens } from '@handover/testkit';
import { createJobQueue } from '../kernel/job-queue.ts';
import { startProcess } from '../kernel/process.ts';
import { createRandom } from '../kernel/random.ts';
import { createTrace } from '../kernel/trace.ts';
import { watchFulfilment } from '../rules/watch-fulfilment.ts';
import { watchOrganisations } from '../rules/watch-organisations.ts';
import { hasClaim, watchReceipts } from '../rules/watch-receipts.ts';
import { createLedger } from '../world/ledger.ts';
import { createMailServer } from '../world/mail-server.ts';
import { openShops } from '../world/open-shops.ts';
import { hashPlainly, type ProcessSlot, START, type World } from '../world/open-world.ts';
import { composeService } from '../world/service.ts';
import { createStaging } from '../world/staged-uploads.ts';
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
  const random = createRandom(seed);
  const scheduler = createSequentialScheduler(START);
  const organisations = watchOrganisations((problem) =>
    world.check('nothing crosses organisations', problem),
  );
  const { memory } = organisations;
  const stores = createInMemoryStores(memory);
  const ids = createTwinIds();
  const turns = createTurns();
  const begun: Begun[] = [];
  const outside = { name: 'outside', frozenUntil: 0 };
  const trace = createTrace();
  const apiKeys = createFakeApiKeys();
  const sessionTokens = createFakeSessionTokens();
  const staging = createStaging();
  const files = createInMemoryFileStore(hashPlainly);
  const breaker = createConnectionBreaker(postgres.proxy, () => world.random);
  let orgIds: readonly string[] = [];
  const compare = (pages: boolean) =>
    compareStates(
      { postgres: postgres.direct, inMemory: stores, memory, ids },
      { orgIds, now: new Date(scheduler.now()), pages },
    );

  const note = (what: string) => {
    trace.note(what);
    trace.count(`fault: ${what}`);
  };
  let fault: string | null = null;
  let calls = 0;
  const surroundings: Surroundings = {
    ids,
    exclusively: turns.exclusively,
    before: async (call) => {
      calls += 1;
      await postgres.setTime(new Date(scheduler.now()));
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
    compareStates: () => compare(false),
    diverge: (what) => {
      world.failure ??= new Error(what);
    },
    note: (call, what) => note(`${call} ${what}`),
  };
  const pairedWith = (inMemory: Stores) =>
    pairStores({ postgres: postgres.connect(), inMemory }, memory, surroundings);

  const queue = createJobQueue(memory.jobs);
  let started = 0;
  const startIn = (role: ProcessSlot['role']): ProcessSlot => {
    started += 1;
    const process = startProcess(scheduler, { name: `${role} ${started}`, number: started, skewMs: 0 });
    // One clock measures claims, the database's: processes with other clocks are part of the simulation without
    // PostgreSQL.
    const { clock, ids: processIds } = Object.assign(process, { skewClock: () => undefined });
    const paired = pairedWith(watchReceipts(world, process, watchFulfilment(world, stores)));
    const mailer = world.mailServer.connect(process);
    return {
      role,
      process,
      service: composeService({
        ...paired,
        readsOrders: () => !world.ofAnotherVersion.has(process),
        ...{ clock, ids: processIds, mailer, apiKeys, sessionTokens, files, uploads: staging.port },
      }),
      skewMs: 0,
    };
  };
  const world: World = {
    scheduler,
    memory,
    stores,
    queue,
    mailServer: createMailServer(
      scheduler,
      () => world.random,
      (process, id) => hasClaim(world, process, id),
      (weather) => trace.count(`fault: mail server ${weather}`),
    ),
    ledger: createLedger(),
    shops: [],
    slots: [],
    outside,
    ofAnotherVersion: new Set(),
    staging,
    trace,
    // Metrics are compared with PostgreSQL's: see `observe.ts`.
    metrics: { port: stores.metrics, checkedAt: START },
    organisations,
    random,
    acting: '',
    pendingWait: 0,
    faultsPerMille: 0,
    begun: 0,
    failure: null,
    check: (rule, problem) => {
      trace.count(`rule: ${rule}`);
      if (problem !== null) world.failure ??= new Error(`Broken: ${rule} (${problem}).`);
    },
    restart: (slot) => {
      slot.process.die();
      Object.assign(slot, startIn(slot.role));
    },
    begin: (what, work) => {
      begun.push({ what, work });
    },
  };
  const shops = await openShops(scheduler, pairedWith(stores), apiKeys);
  for (const { ownerKey, ownerId } of shops)
    world.ledger.apiKeys.set(ownerKey, { userId: ownerId, isOver: false });
  orgIds = shops.map(({ orgId }) => orgId);
  Object.assign(world, { shops, slots: [startIn('web'), startIn('worker')] });
  return {
    world,
    scheduler,
    begun,
    idle: turns.idle,
    calls: () => calls,
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
