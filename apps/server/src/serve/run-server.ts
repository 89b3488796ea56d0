import { once } from 'node:events';
import { createServer } from 'node:net';
import { type MetricsEndpoint, metricsRoutes } from '@handover/adapters-http';
import { fastify } from 'fastify';
import type { Logger } from 'pino';
import {
  assembleHandover,
  type OpenedHandover,
  type OpenInfrastructure,
} from '../composition/assemble-handover.ts';
import type { Composition } from '../composition/composition.ts';
import {
  type OpenedInfrastructure,
  type OpeningOptions,
  openInfrastructure,
} from '../composition/open-infrastructure.ts';
import { trimEndingSlashes } from '../settings/read-value.ts';
import type { Settings } from '../settings/settings.ts';
import { openTracing } from '../telemetry/open-tracing.ts';
import { VERSION } from '../version.ts';
import { endServing, type Step, watchConnections } from './drain-server.ts';
import { describeServer } from './server-facts.ts';

/** After that it listens anyway: a start during an outage is not refused. */
const PROBE_OPENS_WITHIN_MS = 5_000;

export interface RunningServer {
  readonly settings: Settings;
  readonly composition: Composition;
  /** Resolves if the embedded database ends unexpectedly. */
  readonly databaseIsLost: Promise<void>;
  /** Drains and stops: no accepted request fails, no job is interrupted, the database stops last. */
  stop(): Promise<void>;
  /** While it stops: the parts that are not closed yet. */
  leftBehind(): readonly string[];
}

/**
 * Starts everything that the role needs, and resolves once it is ready to serve. As soon as an embedded database of
 * ours may run, `onDatabase` receives a function that ends it when nothing else responds. `signal` gives up a start that
 * waits for a database.
 */
export async function runServer(
  wanted: Settings,
  log: Logger,
  { onDatabase, signal: giveUp }: OpeningOptions = {},
): Promise<RunningServer> {
  const { settings, leavePort } = await choosePort(wanted);
  const facts = describeServer(settings);
  const holder = { kind: 'server', what: 'Handover', url: settings.siteUrl, facts } as const;
  const open: OpenInfrastructure = (signal) =>
    openTraced(settings, log, () => openInfrastructure(settings, log, holder, { onDatabase, signal }));
  const handover = assembleHandover(open, log, giveUp);
  let serving: readonly Step[] = [];
  try {
    const opened = await handover.start();
    await leavePort();
    if (settings.role !== 'worker') serving = await listen(opened, settings);
    serving = [...serving, ...(await listenForScrapes(opened, settings, log))];
    return {
      settings,
      composition: opened.composition,
      databaseIsLost: opened.infrastructure.databaseIsLost,
      stop: () => handover.stop(serving),
      leftBehind: handover.leftBehind,
    };
  } catch (error) {
    await handover.stop(serving);
    throw error;
  }
}

/** The libraries that trace are loaded before anything that they watch. */
async function openTraced(
  { otlpEndpoint, role }: Settings,
  log: Logger,
  open: () => Promise<OpenedInfrastructure>,
): Promise<OpenedInfrastructure> {
  if (otlpEndpoint === null) return open();
  const tracing = await openTracing({ role, version: VERSION.version }, log);
  const infrastructure = await open();
  const close = async () => {
    await tracing.stop();
    await infrastructure.close();
  };
  return { ...infrastructure, tracing, close };
}

/** Resolves with a function that stops accepting requests. */
async function listen({ composition }: OpenedHandover, { port, host }: Settings): Promise<readonly Step[]> {
  const app = composition.resolve('app');
  const connections = watchConnections(app.server);
  // Its connection is open before the first webhook waits: on a busy machine, opening one takes longer than a shop is to wait.
  await composition.resolve('database').answers(PROBE_OPENS_WITHIN_MS);
  await app.listen({ port, host });
  return endServing(app, connections);
}

async function listenForScrapes(
  { composition }: OpenedHandover,
  { metricsPort: port, host }: Settings,
  log: Logger,
): Promise<readonly Step[]> {
  if (port === null) return [];
  const listener = await serveMetrics(composition.resolve('telemetry').endpoint, { host, port }, log);
  return [{ name: 'metrics', close: () => listener.close() }];
}

/**
 * PORT=0 takes any free port. Links need its number before the server listens, and the start takes time: so this
 * holds the port until the server takes it over.
 */
async function choosePort(settings: Settings): Promise<{ settings: Settings; leavePort(): Promise<void> }> {
  if (settings.port !== 0) return { settings, leavePort: async () => {} };
  // Early clients are refused, and a failed start can still end.
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

/** A listener for `GET /metrics` alone, which no proxy leads to: a process that only works on jobs has no other. */
export async function serveMetrics(
  endpoint: MetricsEndpoint,
  { host, port }: { readonly host: string; readonly port: number },
  log: Logger,
): Promise<{ close(): PromiseLike<unknown> }> {
  // Closed at once: an open connection could hold up the end of the process for 72 seconds. Metrics are read again.
  const app = fastify({ forceCloseConnections: true });
  app.register(metricsRoutes(endpoint, { mayForwardTo: false }));
  const url = await app.listen({ host, port });
  log.info(`metrics at ${url}/metrics`);
  return app;
}
