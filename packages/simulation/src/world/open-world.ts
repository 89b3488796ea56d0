import type { Platform, Product, Stores } from '@handover/domain';
import { PLATFORMS, setIntegrationSecret } from '@handover/domain';
import {
  createInMemoryStores,
  createMemory,
  createPlainApiKeys,
  type Memory,
  openShop,
  publishProduct,
} from '@handover/domain/testing';
import { connectStores, type Fault } from '../kernel/connect-stores.ts';
import { createJobQueue, type JobQueue } from '../kernel/job-queue.ts';
import { type SimulatedProcess, startProcess } from '../kernel/process.ts';
import { createRandom, type Random } from '../kernel/random.ts';
import { createScheduler, type Owner, type Scheduler } from '../kernel/scheduler.ts';
import { watchFulfilment } from '../rules/watch-fulfilment.ts';
import { hasClaim, watchReceipts } from '../rules/watch-receipts.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createMailServer, type SimulatedMailServer } from './mail-server.ts';
import { addMaintenance, addWorkers } from './run-workers.ts';
import { composeService, type Service } from './service.ts';

/** An organisation with its products, and one secret for each platform. */
export interface SimulatedShop {
  readonly orgId: string;
  readonly products: readonly Product[];
  readonly secrets: Readonly<Record<Platform, string>>;
  readonly owner: string;
}

/** A slot for a process: whatever runs in it may die, and another is started in its place. */
export interface ProcessSlot {
  readonly role: 'web' | 'worker';
  process: SimulatedProcess;
  service: Service;
  skewMs: number;
}

/** Everything there is in one history, and the knobs that its steps turn. */
export interface World {
  readonly scheduler: Scheduler;
  readonly memory: Memory;
  /** The database as it is, without a network in between: for looking, never for the service. */
  readonly stores: Stores;
  readonly queue: JobQueue;
  readonly mailServer: SimulatedMailServer;
  readonly ledger: Ledger;
  readonly shops: readonly SimulatedShop[];
  readonly slots: readonly ProcessSlot[];
  /** Where shops, buyers and operators are. It never fails. */
  readonly outside: Owner;
  readonly trace: Trace;
  random: Random;
  /** How much time passes at the end of the step, in milliseconds. */
  pendingWait: number;
  /** Of a thousand calls to the database, so many go wrong. */
  faultsPerMille: number;
  /** Moves whenever anybody but the maintenance begins something. */
  begun: number;
  /** Kills what runs in the slot, and starts a new process there. */
  restart(slot: ProcessSlot): void;
  /** Begins something, and lets it go on in its turns. What it throws unexpectedly breaks the history. */
  begin(what: string, work: () => Promise<void>): void;
  /** The first rule that was broken, if any. */
  failure: Error | null;
}

/** What happened, as numbers that two runs of one seed must agree on. */
export interface Trace {
  note(what: string): void;
  readonly digest: () => string;
  readonly counts: ReadonlyMap<string, number>;
}

/** Short of a claim's time: in memory, claims are not renewed while their process lives, as they are in PostgreSQL. */
const MAX_DELAY_MS = 2_000;

const START = Date.parse('2026-03-02T09:00:00.000Z');
const PRODUCTS = ['Keys', 'Drums', 'Bells'];

export async function openWorld(seed: number): Promise<World> {
  const random = createRandom(seed);
  const scheduler = createScheduler(START, random);
  const memory = createMemory();
  const stores = createInMemoryStores(memory);
  const outside: Owner = { name: 'outside', frozenUntil: 0 };
  const world: World = {
    scheduler,
    memory,
    stores,
    queue: createJobQueue(memory.jobs),
    mailServer: createMailServer(
      scheduler,
      () => world.random,
      (process, id) => hasClaim(world, process, id),
    ),
    ledger: createLedger(),
    shops: await openShops(scheduler, stores),
    slots: [],
    outside,
    trace: createTrace(),
    random,
    pendingWait: 0,
    faultsPerMille: 0,
    begun: 0,
    failure: null,
    restart: (slot) => {
      slot.process.die();
      Object.assign(slot, startIn(slot.role, slot.skewMs));
    },
    begin: (what, work) => {
      world.begun += 1;
      scheduler
        .turn(outside)
        .then(work)
        .catch((error: unknown) => {
          world.failure ??= new Error(`${what} failed: ${String(error)}`, { cause: error });
        });
    },
  };
  let started = 0;
  const startIn = (role: ProcessSlot['role'], skewMs: number): ProcessSlot => {
    started += 1;
    const process = startProcess(scheduler, { name: `${role} ${started}`, number: started, skewMs });
    const connected = connectStores(
      watchReceipts(world, process, watchFulfilment(world, stores)),
      process,
      scheduler,
      {
        drawFault: () => (world.random.perMille(world.faultsPerMille) ? world.random.pick(FAULTS) : null),
        drawDelay: () => 1 + world.random.below(MAX_DELAY_MS),
        note: (by, call, fault) =>
          world.trace.note(fault ? `${by.name} ${call} ${fault}` : `${by.name} ${call}`),
      },
    );
    const { clock, ids } = process;
    const mailer = world.mailServer.connect(process);
    return { role, process, service: composeService({ ...connected, clock, ids, mailer }), skewMs };
  };
  const slots = [startIn('web', 0), startIn('web', 0), startIn('worker', 0), startIn('worker', 0)];
  (world.slots as ProcessSlot[]).push(...slots);
  const workers = slots.filter(({ role }) => role === 'worker');
  addWorkers(world, workers);
  addMaintenance(world, workers);
  return world;
}

const FAULTS: readonly [Fault, ...Fault[]] = ['throws-before', 'throws-after', 'answers-late'];

async function openShops(scheduler: Scheduler, stores: Stores): Promise<readonly SimulatedShop[]> {
  const { clock, ids } = startProcess(scheduler, { name: 'set-up', number: 4000, skewMs: 0 });
  const ports = { stores, clock, ids, apiKeys: createPlainApiKeys() };
  const shops: SimulatedShop[] = [];
  for (const name of ['Lumen Audio', 'Nordic Reads']) {
    const { orgId, product } = await openShop(ports, name);
    const products = [product];
    for (const other of PRODUCTS) products.push((await publishProduct(ports, orgId, other)).product);
    const secrets: Partial<Record<Platform, string>> = {};
    for (const platform of PLATFORMS) {
      const secret = `secret-of-${name.replace(' ', '-')}-at-${platform}`;
      secrets[platform] = secret;
      const set = { orgId, platform, name: 'main', secret } as const;
      if (platform !== 'payments-a')
        await setIntegrationSecret({ ...ports, connections: stores.connections }, set);
    }
    const [owner] = await stores.team.list(orgId);
    shops.push({ orgId, products, secrets: secrets as SimulatedShop['secrets'], owner: owner?.email ?? '' });
  }
  return shops;
}

/** What a process may fail with while the database does, or while others are quicker. */
export function isExpected(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'contended' || error.code === 'store-unavailable')
  );
}

function createTrace(): Trace {
  const counts = new Map<string, number>();
  let hash = 0x811c9dc5;
  return {
    counts,
    note: (what) => {
      counts.set(what, 1 + (counts.get(what) ?? 0));
      for (let at = 0; at < what.length; at += 1) hash = Math.imul(hash ^ what.charCodeAt(at), 0x01000193);
    },
    digest: () => (hash >>> 0).toString(16).padStart(8, '0'),
  };
}
