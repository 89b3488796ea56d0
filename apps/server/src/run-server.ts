import { once } from 'node:events';
import { createServer } from 'node:net';
import type { JobHandlers } from '@handover/adapters-postgres';
import { countUnreadableSecrets, listShortSecrets, reseal } from '@handover/adapters-postgres';
import { type DueJob, type JobPorts, runJob } from '@handover/domain';
import type { Logger } from 'pino';
import type { Composition } from './composition.ts';
import { compose, ids, tokens } from './composition.ts';
import { closeAll, drain } from './drain-server.ts';
import { describeKeyNumber } from './keyring/keyring.ts';
import { UnknownKeyError } from './keyring/secret-box.ts';
import { logAnswer } from './log-answer.ts';
import type { RunningMaintenance } from './maintenance.ts';
import { listSweeps, startMaintenance } from './maintenance.ts';
import type { OnDatabase } from './open-infrastructure.ts';
import { openInfrastructure } from './open-infrastructure.ts';
import { retryUntilAvailable } from './retry-until-available.ts';
import { describeServer } from './server-facts.ts';
import type { Settings } from './settings.ts';
import { trimEndingSlashes } from './trim-ending-slashes.ts';
import type { WebConnections } from './web-connections.ts';
import { watchConnections } from './web-connections.ts';

export interface RunningServer {
  readonly settings: Settings;
  readonly composition: Composition;
  /** Resolves if the embedded database ends without having been told to. */
  readonly databaseIsLost: Promise<void>;
  /** Drains and stops: no accepted request fails, no job is cut off, the database goes last. */
  stop(): Promise<void>;
  /** While it stops: the parts that are not closed yet. */
  leftBehind(): readonly string[];
}

/**
 * Starts everything that the role asks for, and resolves once it is ready to serve. `onDatabase` is told, from the moment
 * on that there may be an embedded database of ours, how to end it when nothing else answers any more.
 */
export async function runServer(
  wanted: Settings,
  log: Logger,
  onDatabase: OnDatabase = () => undefined,
): Promise<RunningServer> {
  const { settings, leavePort } = await choosePort(wanted);
  const facts = describeServer(settings);
  const holder = { kind: 'server', what: 'Handover', url: settings.siteUrl, facts } as const;
  const infrastructure = await openInfrastructure(settings, log, holder, onDatabase);
  const composition = compose(infrastructure);
  let connections: WebConnections | null = null;
  let maintenance: RunningMaintenance | null = null;
  try {
    await retryUntilAvailable(log, () => refuseUnreadableSecrets(composition, infrastructure.secrets));
    await retryUntilAvailable(log, () => warnOfShortSecrets(composition, log));
    // A process that only serves queues jobs, and leaves them to others.
    if (settings.role !== 'web') {
      const jobs = composition.resolve(tokens.jobs);
      await retryUntilAvailable(log, () => jobs.start(handleJobs(composition, settings.siteUrl, log)));
    }
    if (settings.role !== 'web') maintenance = beginMaintenance(composition, settings, log);
    await leavePort();
    if (settings.role !== 'worker') {
      const app = composition.resolve(tokens.app);
      connections = watchConnections(app.server);
      await app.listen({ port: settings.port, host: settings.host });
    }
  } catch (error) {
    await closeAll({ composition, infrastructure, connections, maintenance, log });
    throw error;
  }
  if (infrastructure.secrets.length > 1) moveToCurrentSecret(composition, infrastructure.secrets, log);
  const parts = { composition, infrastructure, connections, maintenance, log };
  const leftBehind = new Set<string>();
  let stopped: Promise<void> | null = null;
  return {
    settings,
    composition,
    databaseIsLost: infrastructure.databaseIsLost,
    stop: () => {
      stopped ??= drain(parts, leftBehind);
      return stopped;
    },
    leftBehind: () => [...leftBehind],
  };
}

/** Serving with webhook secrets that cannot be opened would only turn every shop away. */
async function refuseUnreadableSecrets(composition: Composition, secrets: readonly string[]): Promise<void> {
  const count = await countUnreadableSecrets(
    composition.resolve(tokens.database).pages,
    secrets.map(describeKeyNumber),
  );
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
function moveToCurrentSecret(composition: Composition, [current = '']: readonly string[], log: Logger): void {
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

function handleJobs(composition: Composition, siteUrl: string, log: Logger): JobHandlers {
  const ports: JobPorts = {
    ...composition.resolve(tokens.decidingStores),
    clock: composition.resolve(tokens.clock),
    ids,
    orders: composition.resolve(tokens.orders),
    mailer: composition.resolve(tokens.limitedMailer),
    tokens: composition.resolve(tokens.downloadTokens),
    signInTokens: composition.resolve(tokens.signInTokens),
    invitationTokens: composition.resolve(tokens.invitationTokens),
    siteUrl,
  };
  const run = (job: DueJob) => runJob(ports, job, (mail) => logAnswer(log, mail));
  return {
    'fulfil-delivery': (job) => run({ kind: 'fulfil-delivery', ...job }),
    'resolve-delivery': (job) => run({ kind: 'resolve-delivery', ...job }),
    'release-entries': (job) => run({ kind: 'release-entries', ...job }),
    'send-email': (job) => run({ kind: 'send-email', ...job }),
  };
}

function beginMaintenance(composition: Composition, settings: Settings, log: Logger): RunningMaintenance {
  const { maintenance, rejected } = composition.resolve(tokens.decidingStores);
  const clock = composition.resolve(tokens.clock);
  const sweeps = listSweeps({ clock, maintenance, rejected }, settings);
  return startMaintenance({ database: composition.resolve(tokens.database).leases, sweeps, log });
}

/**
 * PORT=0 asks for any free port. Links need its number before anything listens, and the start takes its time: so the
 * port is held until the server takes it over.
 */
async function choosePort(settings: Settings): Promise<{ settings: Settings; leavePort(): Promise<void> }> {
  if (settings.port !== 0) return { settings, leavePort: async () => {} };
  // Whoever knocks too early is turned away, and a start that fails is not kept from ending.
  const probe = createServer((socket) => socket.destroy())
    .unref()
    .listen(0, settings.host);
  await once(probe, 'listening');
  const address = probe.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const siteUrl = new URL(settings.siteUrl);
  if (siteUrl.port === '0') siteUrl.port = String(port);
  return {
    settings: { ...settings, port, siteUrl: trimEndingSlashes(siteUrl.href) },
    leavePort: () => new Promise((left) => probe.close(() => left())),
  };
}
