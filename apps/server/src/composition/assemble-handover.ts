import {
  countUnreadableSecrets,
  type JobHandlers,
  listShortSecrets,
  requeueOrphans,
  reseal,
} from '@handover/adapters-postgres';
import { type AnsweredMail, type BulkPorts, continueBulk, type JobPorts, runJob } from '@handover/domain';
import type { Logger } from 'pino';
import { describeKeyNumber, UnknownKeyError } from '../keyring/keyring.ts';
import { listSweeps, type RunningMaintenance, startMaintenance } from '../maintenance.ts';
import { closeAll, drain, type Step } from '../serve/drain-server.ts';
import { logAnswer, logDecision } from '../serve/log.ts';
import { type Composition, compose, ids } from './composition.ts';
import { type OpenedInfrastructure, retryUntilAvailable } from './open-infrastructure.ts';

/** Handover without an entry point: the caller connects it to a server. */
export interface AssembledHandover {
  /** Opens the database once, and resolves with the parts that exist then. */
  open(): Promise<OpenedHandover>;
  /** Starts workers and maintenance, if the role asks for them. */
  start(): Promise<OpenedHandover>;
  /** Stops accepting requests, lets jobs finish, and closes everything, the database last. */
  stop(endRequests?: readonly Step[]): Promise<void>;
  /** While it stops: the parts that are not closed yet. */
  leftBehind(): readonly string[];
}

export interface OpenedHandover {
  readonly composition: Composition;
  readonly infrastructure: OpenedInfrastructure;
}

/** `signal` ends the wait for a database that is away. */
export type OpenInfrastructure = (signal: AbortSignal) => Promise<OpenedInfrastructure>;

/**
 * The one composition of the service: the `handover` server listens with it, and `createHandover` mounts it in a
 * host. `giveUp`: ends a start that waits for a database that is away.
 */
export function assembleHandover(
  openInfrastructure: OpenInfrastructure,
  log: Logger,
  giveUp?: AbortSignal,
): AssembledHandover {
  const leftBehind = new Set<string>();
  let maintenance: RunningMaintenance | null = null;
  let opening: Promise<OpenedHandover> | null = null;
  let starting: Promise<OpenedHandover> | null = null;
  let stopping: Promise<void> | null = null;
  // A stop does not wait for a database that is away.
  const stopped = new AbortController();
  const signal = AbortSignal.any(giveUp ? [stopped.signal, giveUp] : [stopped.signal]);

  const open = async () => {
    if (stopping) throw new HandoverStoppedError();
    // What failed, such as in an outage, is tried again by the next call.
    opening ??= openAll(openInfrastructure, log, signal).catch((error) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  const start = async () => {
    const opened = await open();
    const { composition, infrastructure } = opened;
    // A process that only serves requests queues jobs for other processes.
    if (infrastructure.settings.role !== 'web') {
      const jobs = composition.resolve('jobs');
      await retryUntilAvailable(log, () => jobs.start(handleJobs(opened, log)), signal);
      maintenance = beginMaintenance(opened, log);
    }
    if (infrastructure.secrets.length > 1) moveToCurrentSecret(opened, log);
    return opened;
  };
  const stop = async (endRequests: readonly Step[]) => {
    stopped.abort();
    // Waits for an open that is in progress, so that it can be closed.
    await starting?.catch(() => null);
    const opened = await opening?.catch(() => null);
    if (opened) await drain({ ...opened, maintenance, log }, endRequests, leftBehind);
  };
  return {
    open,
    start: () => {
      starting ??= start().catch((error) => {
        starting = null;
        throw error;
      });
      return starting;
    },
    stop: (endRequests = []) => {
      stopping ??= stop(endRequests);
      return stopping;
    },
    leftBehind: () => [...leftBehind],
  };
}

/** It was stopped, which is final: create another one. */
export class HandoverStoppedError extends Error {
  readonly code = 'handover-stopped';
  constructor() {
    super('This Handover has been stopped. Make another with createHandover.');
  }
}

async function openAll(
  openInfrastructure: OpenInfrastructure,
  log: Logger,
  signal: AbortSignal,
): Promise<OpenedHandover> {
  const infrastructure = await openInfrastructure(signal);
  const composition = compose(infrastructure);
  const opened = { composition, infrastructure };
  try {
    await retryUntilAvailable(log, () => refuseUnreadableSecrets(opened), signal);
    await retryUntilAvailable(log, () => warnOfShortSecrets(composition, log), signal);
    return opened;
  } catch (error) {
    await closeAll({ ...opened, maintenance: null, log });
    throw error;
  }
}

/** Refuses to start with webhook secrets that cannot be decrypted: every webhook would be refused. */
async function refuseUnreadableSecrets({ composition, infrastructure }: OpenedHandover): Promise<void> {
  const { secrets, settings } = infrastructure;
  const numbers = secrets.map(describeKeyNumber);
  // The setting wins over the secret that the dashboard keeps, so it is also the way out if that one is lost.
  const usesShared = settings.paymentsASecrets.length === 0;
  const count = await countUnreadableSecrets(composition.resolve('database').pages, numbers, { usesShared });
  if (count > 0) throw new UnknownKeyError(count);
}

/** The log names these connections; each organisation sees its own on its dashboard. */
const MAX_NAMED = 20;

async function warnOfShortSecrets(composition: Composition, log: Logger): Promise<void> {
  const connections = await listShortSecrets(composition.resolve('database').pages, MAX_NAMED);
  if (connections.length === 0) return;
  log.warn(
    { connections },
    'webhook secrets that are too short still work; set longer ones: integration set',
  );
}

/** Reseals, in the background, what is still sealed with a former secret, so that this secret can be removed. */
function moveToCurrentSecret({ composition, infrastructure }: OpenedHandover, log: Logger): void {
  const [current = ''] = infrastructure.secrets;
  const boxes = composition.resolve('secretBoxes');
  reseal(composition.resolve('database').deciding, boxes, describeKeyNumber(current)).then(
    (count) => count > 0 && log.info({ count }, 'moved to the current secret'),
    (err) =>
      log.error({ err }, 'could not move everything to the current secret; see handover secret status'),
  );
}

function handleJobs({ composition, infrastructure }: OpenedHandover, log: Logger): JobHandlers {
  const telemetry = composition.resolve('telemetry');
  const ports: JobPorts & BulkPorts = {
    ...composition.resolve('decidingStores'),
    clock: composition.resolve('clock'),
    ids,
    orders: composition.resolve('orders'),
    platforms: composition.resolve('platforms'),
    mailer: composition.resolve('limitedMailer'),
    tokens: composition.resolve('downloadTokens'),
    signInTokens: composition.resolve('signInTokens'),
    invitationTokens: composition.resolve('invitationTokens'),
    siteUrl: infrastructure.settings.siteUrl,
    observeDecision: (decision) => {
      telemetry.observeDecision(decision);
      logDecision(log, decision);
    },
  };
  const observeMail = (mail: AnsweredMail) => {
    telemetry.observeMail(mail);
    logAnswer(log, mail);
  };
  const run = (job: Parameters<typeof runJob>[1]) => telemetry.detach(() => runJob(ports, job, observeMail));
  return {
    'fulfil-delivery': (job) => run({ kind: 'fulfil-delivery', ...job }),
    'resolve-delivery': (job) => run({ kind: 'resolve-delivery', ...job }),
    'release-entries': (job) => run({ kind: 'release-entries', ...job }),
    'run-bulk-action': (job) => telemetry.detach(() => continueBulk(ports, job)),
    'send-email': (job) => run({ kind: 'send-email', ...job }),
  };
}

function beginMaintenance({ composition, infrastructure }: OpenedHandover, log: Logger): RunningMaintenance {
  const { contents, maintenance, rejected } = composition.resolve('decidingStores');
  const files = composition.resolve('files');
  const clock = composition.resolve('clock');
  const { leases, deciding } = composition.resolve('database');
  const jobs = composition.resolve('jobs');
  const sweeps = [
    ...listSweeps({ clock, contents, files, maintenance, rejected }, infrastructure.settings),
    {
      name: 'lost jobs queued again',
      run: async () => ({ jobs: await requeueOrphans(deciding.db, jobs, clock.now()) }),
    },
  ];
  return startMaintenance({ database: leases, sweeps, log });
}
