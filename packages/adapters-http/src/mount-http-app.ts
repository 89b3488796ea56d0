import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { listSecurityHeaders } from './requests/security-headers.ts';

/** An app that runs within another server. */
export interface MountedApp {
  /** For the host: at a prefix, or at its root, where the host's own routes have precedence. */
  readonly plugin: FastifyPluginAsync;
  /** Answers new requests with 503. Resolves when all others are answered and the app is closed, or at the limit, which cuts them off. */
  drain(limitMs: number): Promise<void>;
}

/**
 * Wrapped in an object, because an app is thenable: awaiting it would load its plugins before its routes
 * can be listed.
 */
export interface UnloadedApp {
  readonly app: FastifyInstance;
}

/** The prefix is not the end of the site's root address, so links would lead elsewhere. */
export class MountPathError extends Error {
  override readonly name = 'MountPathError';
  readonly code = 'mount-path';
}

/** It is registered already, in this host or in another one. */
export class MountedTwiceError extends Error {
  override readonly name = 'MountedTwiceError';
  readonly code = 'mounted-twice';
}

/**
 * Lets a host's Fastify serve this app. The app stays a separate server that never listens and receives
 * each request before its body is read. Its parsers, hooks, decorators, error handler and not-found page do
 * not affect the host, and the host's do not affect the app or its bodies. Only the host's `onRequest`
 * hooks run first, whenever they are added.
 */
export function mountHttpApp(open: () => Promise<UnloadedApp>, siteUrl: string): MountedApp {
  const answering = new Set<ServerResponse>();
  const securityHeaders = Object.entries(listSecurityHeaders(siteUrl));
  let isMounted = false;
  let isStopped = false;
  let opened: UnloadedApp | null = null;

  const answer = (
    app: FastifyInstance,
    prefix: string,
    request: IncomingMessage,
    response: ServerResponse,
  ) => {
    for (const [name, value] of securityHeaders) response.setHeader(name, value);
    if (isStopped) return answerStopped(response);
    answering.add(response);
    response.once('close', () => answering.delete(response));
    const { url = '/' } = request;
    // The host's hooks and log still find the whole URL here, as with any nested server.
    Object.assign(request, { originalUrl: url });
    request.url = url.slice(prefix.length).replace(/^(?!\/)/, '/');
    app.routing(request, response);
  };

  return {
    plugin: async (host) => {
      const { prefix } = host;
      checkPrefix(prefix, siteUrl);
      // A stopped one says that it is stopped.
      if (isMounted && !isStopped) {
        throw new MountedTwiceError(
          'This Handover is registered already. Register it once, or make another one with createHandover.',
        );
      }
      isMounted = true;
      opened = await open().catch((error: unknown) => {
        // The host may try again, when the database is there.
        isMounted = false;
        throw error;
      });
      const { app } = opened;
      const areas = await listAreas(app);
      const takeOver = (request: FastifyRequest, reply: FastifyReply) => {
        reply.hijack();
        answer(app, prefix, request.raw, reply.raw);
      };
      // The last hook of each route. The host's own may be added later, or to routes alone, as rate limits are.
      host.addHook('onRoute', (route) => {
        route.onRequest = [route.onRequest ?? [], takeOver].flat();
      });
      for (const { method, url } of [...areas, ...(prefix === '' ? [] : listRest(host))]) {
        if (host.hasRoute({ method, url: prefix + url })) continue;
        host.route({ method, url, exposeHeadRoute: false, handler: answered });
      }
    },
    drain: async (limitMs) => {
      isStopped = true;
      const end = performance.now() + limitMs;
      while (answering.size > 0 && performance.now() < end) await sleep(20);
      for (const response of answering) response.destroy();
      await closeBy(end, opened);
    },
  };
}

/** Its hooks wait for what goes on after an answer, such as the mail of a sign-in, and need the database. */
async function closeBy(end: number, opened: UnloadedApp | null): Promise<void> {
  const closed = new AbortController();
  const limit = sleep(Math.max(0, end - performance.now()), undefined, { signal: closed.signal });
  await Promise.race([opened?.app.close(), limit]).finally(() => closed.abort());
}

/** Never called: the preceding hook has taken over the request. */
function answered(): void {}

interface Area {
  readonly method: HTTPMethods;
  readonly url: string;
}

/**
 * The paths of the app's routes. The app itself routes what follows a parameter, with its own limits: a
 * host's router takes no parameter of more than 100 characters, and file names can be longer.
 */
async function listAreas(app: FastifyInstance): Promise<readonly Area[]> {
  const areas = new Map<string, Area>();
  app.addHook('onRoute', ({ method: methods, url }) => {
    for (const method of [methods].flat()) {
      // A parameter with a pattern stays: the host has files of its own beside ours.
      const parameter = url.includes('(') ? -1 : url.search(/[:*]/);
      const area = { method, url: parameter === -1 ? url : `${url.slice(0, parameter)}*` };
      areas.set(`${method} ${area.url}`, area);
    }
  });
  await app.ready();
  return [...areas.values()];
}

/** Everything else below a prefix. At the root, the host answers unknown paths. */
function listRest({ supportedMethods }: FastifyInstance): readonly Area[] {
  return supportedMethods.flatMap((method) => ['/', '/*'].map((url) => ({ method, url })));
}

function checkPrefix(prefix: string, siteUrl: string): void {
  if (new URL(siteUrl).pathname.replace(/\/$/, '').endsWith(prefix)) return;
  throw new MountPathError(
    `The prefix ${prefix} must be the end of siteUrl, which is ${siteUrl}: links in mails and pages lead there.`,
  );
}

function answerStopped(response: ServerResponse): void {
  response.writeHead(503, { 'content-type': 'application/json; charset=utf-8', 'retry-after': '10' });
  response.end(JSON.stringify({ error: 'This service has stopped. Try again later.' }));
}
