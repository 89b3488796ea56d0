import type { JobHandlers } from '@handover/adapters-postgres';
import { countUnreadableSecrets, listShortSecrets, reseal } from '@handover/adapters-postgres';
import { type DueJob, type JobPorts, runJob } from '@handover/domain';
import type { Logger } from 'pino';
import { type Composition, compose, ids, tokens } from './composition.ts';
import { closeAll, drain, type Step } from './drain-server.ts';
import { describeKeyNumber } from './keyring/keyring.ts';
import { UnknownKeyError } from './keyring/secret-box.ts';
import { logAnswer } from './log-answer.ts';
import { listSweeps, type RunningMaintenance, startMaintenance } from './maintenance.ts';
import type { OpenedInfrastructure } from './open-infrastructure.ts';
import { retryUntilAvailable } from './retry-until-available.ts';

/** Handover without a way in: whoever assembles it lets requests in. */
export interface AssembledHandover {
  /** Opens the database, once, and resolves with what there is then. */
  open(): Promise<OpenedHandover>;
  /** Starts workers and maintenance, if the role asks for them. */
  start(): Promise<OpenedHandover>;
  /** Ends what lets requests in, lets jobs finish, and closes everything, the database last. */
  stop(endRequests?: readonly Step[]): Promise<void>;
  /** While it stops: the parts that are not closed yet. */
  leftBehind(): readonly string[];
}

export interface OpenedHandover {
  readonly composition: Composition;
  readonly infrastructure: OpenedInfrastructure;
}

/** The one composition of the service: the `handover` server listens with it, a host of `createHandover` mounts it. */
export function assembleHandover(
  openInfrastructure: () => Promise<OpenedInfrastructure>,
  log: Logger,
): AssembledHandover {
  const leftBehind = new Set<string>();
  let maintenance: RunningMaintenance | null = null;
  let opening: Promise<OpenedHandover> | null = null;
  let starting: Promise<OpenedHandover> | null = null;
  let stopping: Promise<void> | null = null;

  const open = async () => {
    if (stopping) throw new HandoverStoppedError();
    opening ??= openAll(openInfrastructure, log);
    return opening;
  };
  const start = async () => {
    const opened = await open();
    const { composition, infrastructure } = opened;
    // A process that only serves queues jobs, and leaves them to others.
    if (infrastructure.settings.role !== 'web') {
      const jobs = composition.resolve(tokens.jobs);
      await retryUntilAvailable(log, () => jobs.start(handleJobs(opened, log)));
      maintenance = beginMaintenance(opened, log);
    }
    if (infrastructure.secrets.length > 1) moveToCurrentSecret(opened, log);
    return opened;
  };
  const stop = async (endRequests: readonly Step[]) => {
    // What is on its way is there first, so that it can be closed.
    await starting?.catch(() => null);
    const opened = await opening?.catch(() => null);
    if (opened) await drain({ ...opened, maintenance, log }, endRequests, leftBehind);
  };
  return {
    open,
    start: () => {
      starting ??= start();
      return starting;
    },
    stop: (endRequests = []) => {
      stopping ??= stop(endRequests);
      return stopping;
    },
    leftBehind: () => [...leftBehind],
  };
}

/** It was stopped, which is for good: make another. */
export class HandoverStoppedError extends Error {
  readonly code = 'handover-stopped';
  constructor() {
    super('This Handover has been stopped. Make another with createHandover.');
  }
}

async function openAll(
  openInfrastructure: () => Promise<OpenedInfrastructure>,
  log: Logger,
): Promise<OpenedHandover> {
  const infrastructure = await openInfrastructure();
  const composition = compose(infrastructure);
  const opened = { composition, infrastructure };
  try {
    await retryUntilAvailable(log, () => refuseUnreadableSecrets(opened));
    await retryUntilAvailable(log, () => warnOfShortSecrets(composition, log));
    return opened;
  } catch (error) {
    await closeAll({ ...opened, maintenance: null, log });
    throw error;
  }
}

/** Serving with webhook secrets that cannot be opened would only turn every shop away. */
async function refuseUnreadableSecrets({ composition, infrastructure }: OpenedHandover): Promise<void> {
  const numbers = infrastructure.secrets.map(describeKeyNumber);
  const count = await countUnreadableSecrets(composition.resolve(tokens.database).pages, numbers);
  if (count > 0) throw new UnknownKeyError(count);
}

/** Which connections are named in the log; each organisation sees its own on its dashboard. */
const MAX_NAMED = 20;

async function warnOfShortSecrets(composition: Composition, log: Logger): Promise<void> {
  const connections = await listShortSecrets(composition.resolve(tokens.database).pages, MAX_NAMED);
  if (connections.length === 0) return;
  log.warn(
    { connections },
    'webhook secrets that are too short still work; set longer ones: integration set',
  );
}

/** Encrypts anew, in the background, what still rests on a former secret, so that it can be dropped. */
function moveToCurrentSecret({ composition, infrastructure }: OpenedHandover, log: Logger): void {
  const [current = ''] = infrastructure.secrets;
  const boxes = {
    apiKeys: composition.resolve(tokens.apiKeyBox),
    connectionSecrets: composition.resolve(tokens.connectionSecretBox),
  };
  reseal(composition.resolve(tokens.database).deciding, boxes, describeKeyNumber(current)).then(
    (count) => count > 0 && log.info({ count }, 'moved to the current secret'),
    (err) =>
      log.error({ err }, 'could not move everything to the current secret; see handover secret status'),
  );
}

function handleJobs({ composition, infrastructure }: OpenedHandover, log: Logger): JobHandlers {
  const ports: JobPorts = {
    ...composition.resolve(tokens.decidingStores),
    clock: composition.resolve(tokens.clock),
    ids,
    orders: composition.resolve(tokens.orders),
    mailer: composition.resolve(tokens.limitedMailer),
    tokens: composition.resolve(tokens.downloadTokens),
    signInTokens: composition.resolve(tokens.signInTokens),
    invitationTokens: composition.resolve(tokens.invitationTokens),
    siteUrl: infrastructure.settings.siteUrl,
  };
  const run = (job: DueJob) => runJob(ports, job, (mail) => logAnswer(log, mail));
  return {
    'fulfil-delivery': (job) => run({ kind: 'fulfil-delivery', ...job }),
    'resolve-delivery': (job) => run({ kind: 'resolve-delivery', ...job }),
    'release-entries': (job) => run({ kind: 'release-entries', ...job }),
    'send-email': (job) => run({ kind: 'send-email', ...job }),
  };
}

function beginMaintenance({ composition, infrastructure }: OpenedHandover, log: Logger): RunningMaintenance {
  const { maintenance, rejected } = composition.resolve(tokens.decidingStores);
  const clock = composition.resolve(tokens.clock);
  const sweeps = listSweeps({ clock, maintenance, rejected }, infrastructure.settings);
  return startMaintenance({ database: composition.resolve(tokens.database).leases, sweeps, log });
}
