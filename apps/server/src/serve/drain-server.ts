import type { Server as HttpServer, IncomingMessage, Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Composition } from '../composition/composition.ts';
import type { OpenedInfrastructure } from '../composition/open-infrastructure.ts';
import type { RunningMaintenance } from '../maintenance.ts';

export interface Running {
  readonly composition: Composition;
  readonly infrastructure: OpenedInfrastructure;
  /** Null in a process without workers. */
  readonly maintenance: RunningMaintenance | null;
  readonly log: Logger;
}

export interface Step {
  /** How the log names this part while it is not done. */
  readonly name: string;
  close(): unknown;
}

/** How long keep-alive connections are asked to close before the server stops listening. */
const FAREWELL_MS = 1000;
/** How long a started request may take to arrive completely. */
const UNFINISHED_MS = 5000;

/** Lets accepted requests and running jobs finish, then closes everything. `leftBehind` names what is not done yet. */
export async function drain(
  parts: Running,
  endRequests: readonly Step[],
  leftBehind: Set<string>,
): Promise<void> {
  parts.composition.resolve('draining').now = true;
  await runSteps([...endRequests, ...listSteps(parts)], parts.log, leftBehind);
}

/** Closes everything that is open, the database last. */
export async function closeAll(parts: Running): Promise<void> {
  await runSteps(listSteps(parts), parts.log, new Set());
}

/** How to stop a listening server from accepting requests. */
export function endServing(
  app: { readonly server: HttpServer; close(): PromiseLike<unknown> },
  connections: WebConnections,
): readonly Step[] {
  return [
    { name: 'connections', close: () => drainConnections(app.server, connections) },
    { name: 'requests', close: () => app.close() },
  ];
}

function listSteps({ composition, infrastructure, maintenance }: Running): readonly Step[] {
  return [
    ...(maintenance ? [{ name: 'maintenance', close: () => maintenance.stop() }] : []),
    { name: 'jobs', close: () => composition.resolve('jobs').stop() },
    { name: 'mails', close: () => composition.resolve('mailer').close() },
    { name: 'database connections', close: () => composition.resolve('database').close() },
    { name: 'database', close: () => infrastructure.close() },
  ];
}

/** If one part fails to close, the others are still closed. */
async function runSteps(steps: readonly Step[], log: Logger, leftBehind: Set<string>): Promise<void> {
  for (const { name } of steps) leftBehind.add(name);
  for (const { name, close } of steps) {
    try {
      await close();
    } catch (err) {
      log.warn({ err, part: name }, 'a part could not be closed');
    }
    leftBehind.delete(name);
  }
}

/**
 * Stops accepting new clients, and gives keep-alive connections time for one last request, which is answered with
 * `Connection: close`. (Closing the HTTP server at once would cut idle connections, possibly just as their next
 * request is on its way.) Right after an event-loop tick has accepted every waiting connection, the listen backlog is
 * as empty as possible: a connection that is still in it when the server stops listening is refused.
 */
async function drainConnections(server: HttpServer, connections: WebConnections): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  NetServer.prototype.close.call(server);
  await waitUntil(() => connections.count() === 0, FAREWELL_MS);
  connections.endIdle();
  await waitUntil(() => connections.count() === 0, UNFINISHED_MS);
  connections.endUnfinished();
}

async function waitUntil(isSo: () => boolean, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  while (!isSo() && performance.now() < end) await pause(20);
}

/** The connections of a web server and their states, which a drain needs and Node does not provide. */
interface WebConnections {
  count(): number;
  /** Ends connections without a request in progress: idle keep-alive ones, and those that never sent anything. */
  endIdle(): void;
  /** Ends connections whose request is incomplete: a silent client must not block the stop. */
  endUnfinished(): void;
}

export function watchConnections(server: Server): WebConnections {
  const requests = new Map<Socket, IncomingMessage | null>();
  server.on('connection', (socket: Socket) => {
    requests.set(socket, null);
    socket.once('close', () => requests.delete(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    requests.set(socket, request);
    response.once('close', () => {
      // Requests may be sent one after another without waiting: the connection is idle after the last of them.
      if (requests.get(socket) === request) requests.set(socket, null);
    });
  });
  const end = (which: (request: IncomingMessage | null) => boolean) => {
    for (const [socket, request] of requests) if (which(request)) socket.destroy();
  };
  return {
    count: () => requests.size,
    endIdle: () => end((request) => request === null),
    endUnfinished: () => end((request) => request !== null && !request.complete),
  };
}
