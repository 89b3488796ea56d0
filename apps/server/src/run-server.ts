import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { createServer, Server as NetServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { JobHandlers } from '@handover/adapters-postgres';
import { countUnreadableSecrets, listShortSecrets, reseal } from '@handover/adapters-postgres';
import type { MailAnswer } from '@handover/domain';
import {
  fulfilDelivery,
  sendAlerts,
  sendLinkMail,
  sendReceipt,
  sendSignInLink,
  settleDelivery,
} from '@handover/domain';
import type { Logger } from 'pino';
import type { Composition } from './composition.ts';
import { clock, compose, ids, tokens } from './composition.ts';
import { describeKeyNumber } from './keyring/keyring.ts';
import { UnknownKeyError } from './keyring/secret-box.ts';
import type { OpenedFoundation } from './open-foundation.ts';
import { openFoundation } from './open-foundation.ts';
import type { Settings } from './settings.ts';
import type { RunningUpkeep } from './upkeep.ts';
import { listSweeps, startUpkeep } from './upkeep.ts';
import type { WebConnections } from './web-connections.ts';
import { watchConnections } from './web-connections.ts';

export interface RunningServer {
  readonly settings: Settings;
  readonly composition: Composition;
  /** Resolves if the embedded database ends without having been told to. */
  readonly databaseIsLost: Promise<void>;
  /** Drains and stops: no accepted request fails, no job is cut off, the database goes last. */
  stop(): Promise<void>;
  /** When stopping takes too long: stops just the embedded database. */
  abandon(): Promise<void>;
}

/** How long connections that are kept alive are told to close before the door is shut. */
const FAREWELL_MS = 1000;
/** How long a request that was begun may take to come in whole. */
const UNFINISHED_MS = 5000;

/** Starts everything that the role asks for, and resolves once it is ready to serve. */
export async function runServer(wanted: Settings, log: Logger): Promise<RunningServer> {
  const { settings, leavePort } = await settlePort(wanted);
  const holder = { kind: 'server', what: 'Handover', url: settings.siteUrl } as const;
  const foundation = await openFoundation(settings, log, holder);
  const composition = compose(foundation);
  let connections: WebConnections | null = null;
  let upkeep: RunningUpkeep | null = null;
  try {
    await refuseUnreadableSecrets(composition, foundation.secrets);
    await warnOfShortSecrets(composition, log);
    // A process that only serves queues jobs, and leaves them to others.
    if (settings.role !== 'web')
      await composition.resolve(tokens.jobs).start(handleJobs(composition, settings.siteUrl, log));
    if (settings.role !== 'web') upkeep = beginUpkeep(composition, settings, log);
    await leavePort();
    if (settings.role !== 'worker') {
      const app = composition.resolve(tokens.app);
      connections = watchConnections(app.server);
      await app.listen({ port: settings.port, host: settings.host });
    }
  } catch (error) {
    await closeAll({ composition, foundation, connections, upkeep, log });
    throw error;
  }
  if (foundation.secrets.length > 1) moveToCurrentSecret(composition, foundation.secrets, log);
  const parts = { composition, foundation, connections, upkeep, log };
  let stopped: Promise<void> | null = null;
  return {
    settings,
    composition,
    databaseIsLost: foundation.databaseIsLost,
    stop: () => {
      stopped ??= drain(parts);
      return stopped;
    },
    abandon: () => foundation.close(),
  };
}

interface Running {
  readonly composition: Composition;
  readonly foundation: OpenedFoundation;
  /** Null in a process that serves nobody. */
  readonly connections: WebConnections | null;
  /** Null in a process that does no jobs. */
  readonly upkeep: RunningUpkeep | null;
  readonly log: Logger;
}

/** Serving with webhook secrets that cannot be opened would only turn every shop away. */
async function refuseUnreadableSecrets(composition: Composition, secrets: readonly string[]): Promise<void> {
  const count = await countUnreadableSecrets(
    composition.resolve(tokens.database),
    secrets.map(describeKeyNumber),
  );
  if (count > 0) throw new UnknownKeyError(count);
}

/** Which connections are named in the log; each organisation sees its own on its dashboard. */
const MAX_NAMED = 20;

async function warnOfShortSecrets(composition: Composition, log: Logger): Promise<void> {
  const connections = await listShortSecrets(composition.resolve(tokens.database), MAX_NAMED);
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
  reseal(composition.resolve(tokens.database), boxes, describeKeyNumber(current)).then(
    (count) => count > 0 && log.info({ count }, 'moved to the current secret'),
    (err) =>
      log.error({ err }, 'could not move everything to the current secret; see handover secret status'),
  );
}

function handleJobs(composition: Composition, siteUrl: string, log: Logger): JobHandlers {
  const stores = composition.resolve(tokens.stores);
  const fulfilment = { ...stores, clock, ids, orders: composition.resolve(tokens.orders) };
  const mails = {
    ...stores,
    clock,
    ids,
    mailer: composition.resolve(tokens.mailer),
    tokens: composition.resolve(tokens.downloadTokens),
  };
  const signIns = {
    clock,
    signIns: stores.signIns,
    mailer: composition.resolve(tokens.mailer),
    signInTokens: composition.resolve(tokens.signInTokens),
  };
  const alerts = { clock, alerts: stores.alerts, mailer: mails.mailer, siteUrl };
  return {
    'fulfil-delivery': async (job) => {
      await fulfilDelivery(fulfilment, job);
      return 'done';
    },
    'settle-delivery': async (job) => {
      await settleDelivery(fulfilment, job);
      return 'done';
    },
    'send-alerts': async (job) => {
      const result = await sendAlerts(alerts, job);
      if (result.kind === 'answered') logAnswer(log, 'alert', job, result.answer, result.isGivenUp);
      return result.kind === 'not-now' ? { again: result.at } : 'done';
    },
    'send-receipt': async (job) => {
      const result = await sendReceipt(mails, job);
      if (result.kind === 'answered') logAnswer(log, 'receipt', job, result.answer);
      return result.kind === 'not-now' ? { again: result.at } : 'done';
    },
    'send-link-mail': async (job) => {
      const result = await sendLinkMail(mails, job.mailId);
      if (result.kind === 'answered') logAnswer(log, 'new links', job, result.answer);
      return result.kind === 'not-now' ? { again: result.at } : 'done';
    },
    'send-sign-in-link': async (job) => {
      const result = await sendSignInLink(signIns, job);
      if (result.kind === 'closed') return 'done';
      logAnswer(log, 'sign-in link', job, result.answer);
      return result.againAt ? { again: result.againAt } : 'done';
    },
  };
}

function beginUpkeep(composition: Composition, settings: Settings, log: Logger): RunningUpkeep {
  const { upkeep, rejected } = composition.resolve(tokens.stores);
  const sweeps = listSweeps({ clock, upkeep, rejected }, settings);
  return startUpkeep({ database: composition.resolve(tokens.database), sweeps, log });
}

function logAnswer(
  log: Logger,
  what: string,
  job: object,
  { kind, answer }: MailAnswer,
  isGivenUp = kind === 'refused',
): void {
  const details = { ...job, mailServer: answer };
  if (kind === 'accepted') log.info(details, `${what} sent`);
  else if (isGivenUp) log.error(details, `${what} refused for good`);
  else log.warn(details, `${what} not taken; it is tried again`);
}

async function drain(parts: Running): Promise<void> {
  const { composition, connections } = parts;
  composition.resolve(tokens.draining).now = true;
  if (connections) await emptyHouse(composition.resolve(tokens.app).server, connections);
  await closeAll(parts);
}

/**
 * Lets nobody new in, and gives connections that are kept alive a while for a last request, which is answered with
 * `Connection: close`. (Closing the HTTP server at once would cut those that are idle, maybe just as their next
 * request is on its way.) Right after a round of the event loop has accepted whoever knocked, the queue before the
 * door is as empty as it gets: whoever stands in it when the door shuts is turned away.
 */
async function emptyHouse(server: HttpServer, connections: WebConnections): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  NetServer.prototype.close.call(server);
  await waitUntil(() => connections.count() === 0, FAREWELL_MS);
  connections.endIdle();
  await waitUntil(() => connections.count() === 0, UNFINISHED_MS);
  connections.endUnfinished();
}

async function waitUntil(isSo: () => boolean, limitMs: number): Promise<void> {
  const end = Date.now() + limitMs;
  while (!isSo() && Date.now() < end) await pause(20);
}

/** Closes what is open, the database last of all. What one part fails to do keeps no other from being closed. */
async function closeAll({ composition, foundation, connections, upkeep, log }: Running): Promise<void> {
  const steps = [
    ...(connections ? [() => composition.resolve(tokens.app).close()] : []),
    ...(upkeep ? [() => upkeep.stop()] : []),
    () => composition.resolve(tokens.jobs).stop(),
    () => composition.resolve(tokens.mailer).close(),
    () => composition.resolve(tokens.database).close(),
    () => foundation.close(),
  ];
  for (const close of steps) {
    try {
      await close();
    } catch (err) {
      log.warn({ err }, 'a part could not be closed');
    }
  }
}

/**
 * PORT=0 asks for any free port. Links need its number before anything listens, and the start takes its time: so the
 * port is held until the server takes it over.
 */
async function settlePort(settings: Settings): Promise<{ settings: Settings; leavePort(): Promise<void> }> {
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
    settings: { ...settings, port, siteUrl: siteUrl.href.replace(/\/+$/, '') },
    leavePort: () => new Promise((left) => probe.close(() => left())),
  };
}
