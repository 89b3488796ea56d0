import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { listSecurityHeaders } from './requests/security-headers.ts';

/** An app that answers within another server. */
export interface MountedApp {
  /** For the host: at a prefix, or at its root, where the host's own routes come first. */
  readonly plugin: FastifyPluginAsync;
  /** Answers new requests with 503. Resolves when all others are answered, or cut off at the limit. */
  drain(limitMs: number): Promise<void>;
}

/** Wrapped, because a promise of an app itself would load its plugins, and where it has routes could not be heard. */
export interface UnloadedApp {
  readonly app: FastifyInstance;
}

/** The prefix is not the end of the site's root address: links would lead elsewhere. */
export class MountPathError extends Error {
  readonly code = 'mount-path';
}

/**
 * Lets a host's Fastify answer with this app. The app stays a server of its own which never listens, and is handed each
 * request before its body is read: its parsers, hooks, decorators, error handler and not-found page cannot reach the
 * host, nor can the host's get between it and its bodies. Only the host's `onRequest` hooks come before it.
 */
export function mountHttpApp(open: () => Promise<UnloadedApp>, siteUrl: string): MountedApp {
  const answering = new Set<ServerResponse>();
  const securityHeaders = Object.entries(listSecurityHeaders(siteUrl));
  let isStopped = false;

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
    // Where the host's hooks and log still find the whole of it, as of any server within a server.
    Object.assign(request, { originalUrl: url });
    request.url = url.slice(prefix.length).replace(/^(?!\/)/, '/');
    app.routing(request, response);
  };

  return {
    plugin: async (host) => {
      const { prefix } = host;
      checkPrefix(prefix, siteUrl);
      const { app } = await open();
      const areas = await listAreas(app);
      host.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply) => {
        reply.hijack();
        answer(app, prefix, request.raw, reply.raw);
      });
      for (const { method, url } of areas) {
        if (host.hasRoute({ method, url: prefix + url })) continue;
        host.route({ method, url, exposeHeadRoute: false, handler: answered });
      }
      // At the root, what nobody knows is the host's to answer.
      if (prefix !== '') host.setNotFoundHandler(answered);
    },
    drain: async (limitMs) => {
      isStopped = true;
      const end = performance.now() + limitMs;
      while (answering.size > 0 && performance.now() < end) await sleep(20);
      for (const response of answering) response.destroy();
    },
  };
}

/** Never called: the hook before it has taken the request over. */
function answered(): void {}

interface Area {
  readonly method: HTTPMethods;
  readonly url: string;
}

/**
 * Where the app has routes. What follows a parameter is the app's own to route, by its own limits: a host's router takes
 * no parameter of more than 100 characters, and names of files are longer.
 */
async function listAreas(app: FastifyInstance): Promise<readonly Area[]> {
  const areas = new Map<string, Area>();
  app.addHook('onRoute', ({ method: methods, url }) => {
    for (const method of [methods].flat()) {
      const area = { method, url: url.replace(/[:*].*$/, '*') };
      areas.set(`${method} ${area.url}`, area);
    }
  });
  await app.ready();
  return [...areas.values()];
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
