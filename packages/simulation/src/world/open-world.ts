import type {
  KnownPlatform,
  Metrics,
  Product,
  ProductFile,
  StagedUploads,
  StoredContent,
} from '@handover/domain';
import {
  createInMemoryFileStore,
  createInMemoryStores,
  type InMemoryStores,
  type Memory,
} from '@handover/domain/memory';
import { createFakeApiKeys, createFakeSessionTokens } from '@handover/testkit';
import { CALL_FAULTS, connectPort, connectStores, type Network } from '../kernel/connect-stores.ts';
import { createJobQueue, type JobQueue } from '../kernel/job-queue.ts';
import { type SimulatedProcess, startProcess } from '../kernel/process.ts';
import { createRandom, type Random } from '../kernel/random.ts';
import { createScheduler, type Owner, type Scheduler } from '../kernel/scheduler.ts';
import { createTrace, type Trace } from '../kernel/trace.ts';
import { watchFulfilment } from '../rules/watch-fulfilment.ts';
import { type OrganisationWatch, watchOrganisations } from '../rules/watch-organisations.ts';
import { hasClaim, recordLostCompletion, watchReceipts } from '../rules/watch-receipts.ts';
import type { WatchedRule } from '../rules/watched.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createMailServer, type SimulatedMailServer } from './mail-server.ts';
import { openShops } from './open-shops.ts';
import { addMaintenance, addWorkers } from './run-workers.ts';
import { composeService, type Service } from './service.ts';

/** An organisation with its products, and one secret for each platform. */
export interface SimulatedShop {
  readonly orgId: string;
  readonly products: readonly Product[];
  readonly secrets: Readonly<Record<KnownPlatform, string>>;
  readonly owner: string;
  readonly ownerId: string;
  readonly ownerKey: string;
}

/** A slot for a process: its process may die, and another one is started in its place. */
export interface ProcessSlot {
  readonly role: 'web' | 'worker';
  process: SimulatedProcess;
  service: Service;
  skewMs: number;
}

/** Everything in one history, and the controls of its steps. */
export interface World {
  readonly scheduler: Scheduler;
  readonly memory: Memory;
  /** The database without a network in between: for checks, never for the service. */
  readonly stores: InMemoryStores;
  readonly queue: JobQueue;
  readonly mailServer: SimulatedMailServer;
  readonly ledger: Ledger;
  readonly shops: SimulatedShop[];
  readonly slots: ProcessSlot[];
  /** Shops, buyers and operators run here. It never fails. */
  readonly outside: Owner;
  /** Processes of another version, which cannot read the orders that others have recorded. */
  readonly ofAnotherVersion: Set<SimulatedProcess>;
  readonly staging: Staging;
  readonly trace: Trace;
  /** The metrics as the overview reads them, regardless of open transactions. */
  readonly metrics: { readonly port: Metrics; checkedAt: number };
  readonly organisations: OrganisationWatch;
  random: Random;
  /** The name of the action of this step. */
  acting: string;
  /** How much time passes at the end of the step, in milliseconds. */
  pendingWait: number;
  /** How many of a thousand calls to the database fail. */
  faultsPerMille: number;
  /** Changes whenever any task but maintenance begins. */
  begun: number;
  /** Kills the process in the slot, and starts a new one there. */
  restart(slot: ProcessSlot): void;
  /** Begins a task, which continues in its turns. An unexpected error breaks the history. */
  begin(what: string, work: () => Promise<void>): void;
  /** Reports that a rule was checked on a case that could have broken it, and the violation, if any. */
  check(rule: WatchedRule, problem: string | null): void;
  /** The first broken rule, if any. */
  failure: Error | null;
}

/** Shorter than a claim: in memory, claims are not renewed while their process lives, as they are in PostgreSQL. */
const MAX_DELAY_MS = 2_000;

export const START = Date.parse('2026-03-02T09:00:00.000Z');

export async function openWorld(seed: number): Promise<World> {
  const random = createRandom(seed);
  const scheduler = createScheduler(START, random);
  const apiKeys = createFakeApiKeys();
  const sessionTokens = createFakeSessionTokens();
  const files = createInMemoryFileStore(hashPlainly);
  const world = createWorld({
    scheduler,
    random,
    startAgain: ({ role, skewMs }) => startIn(role, skewMs),
    begin: (what, work) => {
      world.begun += 1;
      scheduler
        .turn(world.outside)
        .then(work)
        .catch((error: unknown) => {
          world.failure ??= new Error(`${what} failed: ${String(error)}`, { cause: error });
        });
    },
  });
  const network = createNetwork(world);
  let started = 0;
  const startIn = (role: ProcessSlot['role'], skewMs: number): ProcessSlot => {
    started += 1;
    const process = startProcess(scheduler, { name: `${role} ${started}`, number: started, skewMs });
    const watched = watchReceipts(world, process, watchFulfilment(world, world.stores));
    const connect = <Port extends object>(port: string, of: Port) =>
      connectPort(port, of, process, scheduler, network);
    const { clock, ids } = process;
    const service = composeService({
      ...connectStores(watched, process, scheduler, network),
      files: connect('files', files),
      uploads: connect('uploads', world.staging.port),
      mailer: world.mailServer.connect(process),
      readsOrders: () => !world.ofAnotherVersion.has(process),
      ...{ clock, ids, apiKeys, sessionTokens },
    });
    return { role, process, service, skewMs };
  };
  addShops(world, await openShops(scheduler, world.stores, apiKeys));
  world.slots.push(startIn('web', 0), startIn('web', 0), startIn('worker', 0), startIn('worker', 0));
  const workers = world.slots.filter(({ role }) => role === 'worker');
  addWorkers(world, workers);
  addMaintenance(world, workers);
  return world;
}

/** A world without shops and processes, whose database is the memory. */
export function createWorld({
  scheduler,
  random,
  startAgain,
  begin,
}: Pick<World, 'scheduler' | 'random' | 'begin'> & {
  startAgain(slot: ProcessSlot): ProcessSlot;
}): World {
  const organisations = watchOrganisations((problem) =>
    world.check('nothing crosses organisations', problem),
  );
  const { memory } = organisations;
  const world: World = {
    scheduler,
    memory,
    stores: createInMemoryStores(memory),
    queue: createJobQueue(memory.jobs),
    mailServer: createMailServer(
      scheduler,
      () => world.random,
      (process, id) => hasClaim(world, process, id),
      (weather) => world.trace.count(`fault: mail server ${weather}`),
    ),
    ledger: createLedger(),
    shops: [],
    slots: [],
    outside: { name: 'outside', frozenUntil: 0 },
    ofAnotherVersion: new Set(),
    staging: createStaging(),
    trace: createTrace(),
    // Stores of another memory share no transaction with those of this one, and these have the same tables.
    metrics: { port: createInMemoryStores({ ...memory }).metrics, checkedAt: START },
    organisations,
    random,
    acting: '',
    pendingWait: 0,
    faultsPerMille: 0,
    begun: 0,
    failure: null,
    check: (rule, problem) => {
      world.trace.count(`rule: ${rule}`);
      if (problem !== null) world.failure ??= new Error(`Broken: ${rule} (${problem}).`);
    },
    restart: (slot) => {
      slot.process.die();
      Object.assign(slot, startAgain(slot));
    },
    begin,
  };
  return world;
}

/** Shops of this world. The ledger knows their keys. */
export function addShops(world: World, shops: readonly SimulatedShop[]): void {
  world.shops.push(...shops);
  for (const { ownerKey, ownerId } of shops)
    world.ledger.apiKeys.set(ownerKey, { userId: ownerId, isOver: false });
}

/** Between the processes and the database: it loses and delays calls. */
function createNetwork(world: World): Network {
  return {
    drawFault: (call) => {
      const share = RARELY_ASKED.has(portOf(call)) ? 8 * world.faultsPerMille : world.faultsPerMille;
      return world.random.perMille(share) ? world.random.pick(CALL_FAULTS) : null;
    },
    drawDelay: () => 1 + world.random.below(MAX_DELAY_MS),
    note: (by, call, fault) => {
      world.trace.note(`${by.name} ${call} ${fault}`);
      if (fault) world.trace.count(`fault: ${portOf(call)} ${fault}`);
      if (fault && call === 'outgoingEmails.complete') recordLostCompletion(world, by);
    },
    watch: world.organisations.watch,
  };
}

/** Ports that few actions call, and once: their calls fail more often. */
const RARELY_ASKED: ReadonlySet<string> = new Set([
  ...[
    'activity',
    'customers',
    'metrics',
    'files',
    'downloadLinkEmails',
    'actionItems',
    'organisations',
    'skuMappings',
  ],
  ...['team', 'unassigned', 'uploads', 'userSessions', 'users'],
]);

function portOf(call: string): string {
  const end = call.indexOf('.');
  return end < 0 ? call : call.slice(0, end);
}

/** As many hex digits as SHA-256, and equal for equal bytes: nothing here must resist an attack. */
export function hashPlainly(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').padEnd(64, '0').slice(0, 64);
}

/** Uploads in memory. The received bytes are kept until they are a file, or are given up. */
export interface Staging {
  readonly port: StagedUploads;
  /** Simulates that the whole upload has arrived. */
  receive(uploadId: string, content: StoredContent): void;
}

export function createStaging(): Staging {
  const staged = new Map<string, StoredContent>();
  const completed = new Map<string, ProductFile>();
  return {
    port: {
      keep: async (_orgId, uploadId, expectedSha256) => {
        const content = staged.get(uploadId);
        if (!content) return 'damaged';
        return expectedSha256 === null || expectedSha256 === content.sha256 ? content : 'damaged';
      },
      complete: async (uploadId, file) => {
        completed.set(uploadId, file);
        staged.delete(uploadId);
      },
      findCompleted: async (uploadId) => completed.get(uploadId) ?? null,
      discard: async (uploadId) => {
        staged.delete(uploadId);
        completed.delete(uploadId);
      },
    },
    receive: (uploadId, content) => {
      staged.set(uploadId, content);
    },
  };
}
