import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { networkOf } from './network-of.ts';

export interface BodyLimits {
  /** How long a buffered body may take to arrive completely. */
  readonly deadlineMs: number;
  /** How long the sender of a file may pause. */
  readonly silenceMs: number;
  /** How many bytes of request bodies the process buffers at once. */
  readonly maxBufferedBytes: number;
}

export const BODY_LIMITS: BodyLimits = {
  // Enough for 5 MiB, the largest buffered body, at 1.4 Mbit/s. Shops send from data centres.
  deadlineMs: 30_000,
  silenceMs: 60_000,
  // A dozen bodies of 5 MiB, or thousands of orders: enough for any shop, and safe on a small machine.
  maxBufferedBytes: 64 * 1024 * 1024,
};

/** A body did not arrive completely in time. */
class BodyTimeoutError extends Error {
  readonly code = 'body-timeout';
}

/** The bodies in progress have used up the memory budget. */
class BodyBudgetError extends Error {
  readonly code = 'body-budget-exceeded';
}

/** The connection closed before the body was read. */
class BodyBrokenOffError extends Error {
  readonly statusCode = 400;
}

/**
 * Limits every buffered body, on every route: each has a deadline, and all share a memory budget. Routes
 * that stream a file (`config.fileUpload`) are exempt: see `receiveFile`.
 */
export function limitBodies(app: FastifyInstance, { deadlineMs, maxBufferedBytes }: BodyLimits): void {
  const budget = createByteBudget(maxBufferedBytes);
  const shares = new WeakMap<FastifyRequest, ByteShare>();

  app.addHook('onRequest', (request, _reply, done) => {
    // No handler reads the body of a 404, so the body is not received either.
    if (request.is404) request.headers = WITHOUT_BODY;
    done();
  });

  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.is404 || BODYLESS.has(request.method) || isFileUpload(request)) return done(null, payload);
    // The sender left while it was looked up. Nothing more is told of its connection, so its share would stay reserved.
    if (reply.raw.destroyed) return done(new BodyBrokenOffError('The connection is closed.'));
    const share = budget.open(networkOf(request.ip));
    shares.set(request, share);
    reply.raw.once('close', share.release);
    const length = readLength(request);
    if (!share.grow(length ?? 0)) return done(new BodyBudgetError('No room for the body.'));
    const late = () =>
      new BodyTimeoutError(`The body did not arrive whole within ${deadlineMs / 1000} s. Send it again.`);
    if (isMultipart(request)) {
      // The multipart parser bypasses `payload`.
      afterDeadline(request, deadlineMs, () => reply.sent || reply.send(late()));
      return done(null, payload);
    }
    if (length !== null) {
      // Node reads no more than was announced, so that no stream of our own need count it. Its reader may have stopped.
      payload.on('error', () => undefined);
      afterDeadline(request, deadlineMs, () => payload.emit('error', late()));
      return done(null, payload);
    }
    const checked = checkChunks(payload, (bytes) =>
      share.grow(bytes) ? null : new BodyBudgetError('No room for more of the body.'),
    );
    afterDeadline(request, deadlineMs, () => checked.destroy(late()));
    return done(null, checked);
  });

  app.addHook('onSend', (request, _reply, _payload, done) => {
    // The rest of a rejected body is discarded.
    if (!request.raw.complete) shares.get(request)?.release();
    done();
  });
}

/** Fastify merges these with the original headers, and finds no body to parse. */
const WITHOUT_BODY = {
  'content-type': undefined,
  'content-length': undefined,
  'transfer-encoding': undefined,
};

const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

function isFileUpload(request: FastifyRequest): boolean {
  const { fileUpload } = request.routeOptions.config;
  return fileUpload === 'any type' || (fileUpload === 'multipart' && isMultipart(request));
}

function isMultipart({ raw }: FastifyRequest): boolean {
  return /^multipart\//i.test(raw.headers['content-type'] ?? '');
}

/**
 * The bytes to reserve before the body is read; null when chunks are counted as they arrive. A body that
 * announces more than its route's limit is rejected unread. Multipart is not counted: its parser bypasses
 * `payload`.
 */
function readLength(request: FastifyRequest): number | null {
  const { bodyLimit } = request.routeOptions;
  const announced = request.raw.headers['content-length'];
  if (announced === undefined) return isMultipart(request) ? bodyLimit : null;
  const length = Number(announced);
  return length > bodyLimit ? 0 : length;
}

/** Calls `act` unless the body is complete in time. */
function afterDeadline({ raw }: FastifyRequest, deadlineMs: number, act: () => unknown): void {
  const timer = setTimeout(() => raw.complete || raw.readableEnded || act(), deadlineMs);
  const cancel = () => clearTimeout(timer);
  raw.once('end', cancel).once('close', cancel);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file, of any type or within a multipart form, that is never buffered. */
    readonly fileUpload?: 'any type' | 'multipart';
  }
}

/** Passes the body on until `check` rejects the length of a chunk; then it fails with that error. */
export function checkChunks(body: Readable, check: (bytes: number) => Error | null): Readable {
  const checked = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      const objection = check(chunk.length);
      if (objection) done(objection);
      else done(null, chunk);
    },
  });
  // Not `pipeline`: that would close the connection before the client can read the error.
  body.once('error', (error) => checked.destroy(error));
  // Its reader may have stopped already.
  checked.on('error', () => undefined);
  return body.pipe(checked);
}

/** Counts the bytes of request bodies that this process buffers. */
interface ByteBudget {
  /** The share of one request; empty at first. `network`: where it comes from, see `networkOf`. */
  open(network: string): ByteShare;
}

interface ByteShare {
  /** Adds bytes to the share. False: the budget is exhausted, and nothing was added. */
  grow(bytes: number): boolean;
  /** Returns the whole share to the budget. Idempotent. */
  release(): void;
}

/** Almost every order and form is smaller. */
const MAX_SMALL_BODY = 64 * 1024;
/**
 * Large bodies, and all bodies of a network that has many, may use this share of the budget, so that a flood of them leaves
 * room for the orders of others, which are small.
 */
const SHARE_OF_MANY = 0.75;
/** What one network may have besides: hundreds of orders. */
const SHARE_OF_NETWORK = 1 / 32;

export function createByteBudget(maxBytes: number): ByteBudget {
  let inUse = 0;
  const heldBy = new Map<string, number>();
  const holdFor = (network: string, bytes: number) => {
    inUse += bytes;
    const held = (heldBy.get(network) ?? 0) + bytes;
    if (held === 0) heldBy.delete(network);
    else heldBy.set(network, held);
  };
  return {
    open(network) {
      let held = 0;
      return {
        grow(bytes) {
          const isLarge = held + bytes > MAX_SMALL_BODY;
          const hasMany = (heldBy.get(network) ?? 0) + bytes > maxBytes * SHARE_OF_NETWORK;
          const limit = isLarge || hasMany ? maxBytes * SHARE_OF_MANY : maxBytes;
          if (inUse + bytes > limit) return false;
          holdFor(network, bytes);
          held += bytes;
          return true;
        },
        release() {
          holdFor(network, -held);
          held = 0;
        },
      };
    },
  };
}

/**
 * How long a rejected body may continue: on a connection that stays open, and on one that closes with the
 * response.
 */
const WAIT_TIMEOUT = { openMs: 30_000, closingMs: 5_000 };

/**
 * Drains the rest of a rejected body, so that the client can read the response. Most clients read no
 * response while they send: if the connection closes under them, they report only that. So the response is
 * sent at once and the connection stays open while the client keeps it. Where the connection closes with
 * the response, the response waits for the rest of the body. The drained bytes are discarded.
 */
export function drainRequestBody(
  app: FastifyInstance,
  isDraining: () => boolean,
  waitTimeout = WAIT_TIMEOUT,
): void {
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    if (isWhole(raw)) return done();
    discardRest(raw);
    // A sender that was too slow is not drained.
    if (reply.statusCode === 408) {
      reply.header('connection', 'close');
    } else if (isDraining() || !reply.raw.shouldKeepAlive) {
      return void untilOver(raw, waitTimeout.closingMs).then(() => done());
    } else {
      reply.header('connection', 'keep-alive');
      void untilOver(raw, waitTimeout.openMs).then((isOver) => isOver || raw.destroy());
    }
    done();
  });
}

/** The body is complete, or no more of it will come. An injected request never becomes `complete`. */
function isWhole({ complete, readableEnded, destroyed }: IncomingMessage): boolean {
  return complete || readableEnded || destroyed;
}

/**
 * Removes the previous readers, which have failed and might buffer the rest. A new listener is needed: a
 * flowing body without one does not continue.
 */
function discardRest(body: IncomingMessage): void {
  body.unpipe();
  body.removeAllListeners('readable').removeAllListeners('data');
  body.on('data', () => undefined).resume();
}

/** Whether the body ended in time. */
async function untilOver(body: IncomingMessage, limitMs: number): Promise<boolean> {
  const over = new AbortController();
  const end = () => over.abort();
  body.once('end', end).once('close', end);
  await sleep(limitMs, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
  body.off('end', end).off('close', end);
  return over.signal.aborted;
}

/**
 * For routes that accept bodies of any type: hides the type from Fastify, which rejects malformed media
 * types. `request.raw` still has it.
 */
export const takeAnyType: onRequestHookHandler = (request, _reply, done) => {
  // Fastify merges these with the original headers.
  request.headers = { 'content-type': undefined };
  done();
};

/** For routes that need no body, or stream it themselves: one of any type is accepted, and left unread. */
export function leaveBodiesUnread(app: FastifyInstance): void {
  app.addHook('onRequest', takeAnyType);
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
}
