import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { createServer, Server as NetServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { JobHandlers } from '@handover/adapters-postgres';
import { reseal } from '@handover/adapters-postgres';
import type { MailAnswer } from '@handover/domain';
import { fulfilDelivery, sendReceipt } from '@handover/domain';
import type { Logger } from 'pino';
import type { Composition } from './composition.ts';
import { clock, compose, ids, tokens } from './composition.ts';
import { describeKeyNumber } from './keyring/keyring.ts';
import type { OpenedFoundation } from './open-foundation.ts';
import { openFoundation } from './open-foundation.ts';
import type { Settings } from './settings.ts';

export interface RunningServer {
  readonly settings: Settings;
  readonly composition: Composition;
  /** Drains and stops: no accepted request fails, no job is cut off, the database goes last. */
  stop(): Promise<void>;
}

/** How long connections that are kept alive are told to close before the door is shut. */
const FAREWELL_MS = 1000;

/** Starts everything that the role asks for, and resolves once it is ready to serve. */
export async function runServer(wanted: Settings, log: Logger): Promise<RunningServer> {
  const settings = await settlePort(wanted);
  const holder = { kind: 'server', what: 'Handover', url: settings.siteUrl } as const;
  const foundation = await openFoundation(settings, log, holder);
  const composition = compose(foundation);
  try {
    // A process that only serves queues jobs, and leaves them to others.
    if (settings.role !== 'web') await composition.resolve(tokens.jobs).start(handleJobs(composition, log));
    if (settings.role !== 'worker') {
      const { port, host } = settings;
      await composition.resolve(tokens.app).listen({ port, host });
    }
  } catch (error) {
    await closeAll(composition, foundation);
    throw error;
  }
  if (foundation.secrets.length > 1) moveToCurrentSecret(composition, foundation.secrets, log);
  return { settings, composition, stop: () => drain(composition, foundation) };
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

function handleJobs(composition: Composition, log: Logger): JobHandlers {
  const stores = composition.resolve(tokens.stores);
  const fulfilment = { ...stores, clock, ids, orders: composition.resolve(tokens.orders) };
  const receipts = {
    clock,
    receipts: stores.receipts,
    mailer: composition.resolve(tokens.mailer),
    tokens: composition.resolve(tokens.downloadTokens),
  };
  return {
    'fulfil-delivery': async (job) => {
      await fulfilDelivery(fulfilment, job);
      return 'done';
    },
    'send-receipt': async (job) => {
      const result = await sendReceipt(receipts, job);
      if (result.kind === 'answered') logAnswer(log, job, result.answer);
      return result.kind === 'not-now' ? { again: result.at } : 'done';
    },
  };
}

function logAnswer(log: Logger, job: object, { kind, answer }: MailAnswer): void {
  const details = { ...job, mailServer: answer };
  if (kind === 'accepted') log.info(details, 'receipt sent');
  else if (kind === 'refused') log.error(details, 'receipt refused for good');
  else log.warn(details, 'receipt not taken; it is tried again');
}

async function drain(composition: Composition, foundation: OpenedFoundation): Promise<void> {
  composition.resolve(tokens.draining).now = true;
  if (foundation.settings.role !== 'worker') await sayFarewell(composition.resolve(tokens.app).server);
  await closeAll(composition, foundation);
}

/**
 * Lets nobody new in, and gives connections that are kept alive a while for a last request, which is answered with
 * `Connection: close`. (Closing the HTTP server at once would cut those that are idle, maybe just as their next
 * request is on its way.) Right after a round of the event loop has accepted whoever knocked, the queue before the
 * door is as empty as it gets: whoever stands in it when the door shuts is turned away.
 */
async function sayFarewell(server: HttpServer): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  NetServer.prototype.close.call(server);
  const end = Date.now() + FAREWELL_MS;
  while (Date.now() < end) {
    const open = await new Promise<number>((resolve) =>
      server.getConnections((_, count) => resolve(count ?? 0)),
    );
    if (open === 0) return;
    await pause(20);
  }
}

async function closeAll(composition: Composition, foundation: OpenedFoundation): Promise<void> {
  if (foundation.settings.role !== 'worker') await composition.resolve(tokens.app).close();
  await composition.resolve(tokens.jobs).stop();
  await composition.resolve(tokens.mailer).close();
  await composition.resolve(tokens.database).close();
  await foundation.close();
}

/** PORT=0 asks for any free port; links need its number before anything listens. */
async function settlePort(settings: Settings): Promise<Settings> {
  if (settings.port !== 0) return settings;
  const probe = createServer().listen(0, settings.host);
  await once(probe, 'listening');
  const address = probe.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  probe.close();
  await once(probe, 'close');
  const siteUrl = new URL(settings.siteUrl);
  if (siteUrl.port === '0') siteUrl.port = String(port);
  return { ...settings, port, siteUrl: siteUrl.href.replace(/\/+$/, '') };
}
