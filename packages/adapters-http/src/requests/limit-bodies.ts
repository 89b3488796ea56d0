import { type Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface BodyLimits {
  /** How long a body that is held in memory may take to arrive whole. */
  readonly deadlineMs: number;
  /** How long the sender of a file may send nothing. */
  readonly silenceMs: number;
  /** How many bytes of bodies the process holds in memory at once. */
  readonly maxBufferedBytes: number;
}

export const BODY_LIMITS: BodyLimits = {
  // 5 MiB, the most that any of them may have, at 1.4 Mbit/s. Shops send from data centres.
  deadlineMs: 30_000,
  silenceMs: 60_000,
  // A dozen bodies of 5 MiB, or thousands of orders: enough for any shop, and no danger to a small machine.
  maxBufferedBytes: 64 * 1024 * 1024,
};

/** A body did not arrive whole in time. */
class BodyTimeoutError extends Error {
  readonly code = 'body-timeout';
}

/** The bodies that are being received fill the memory that is set aside for them. */
class BodyBudgetError extends Error {
  readonly code = 'body-budget-exceeded';
}

/**
 * Bounds every body that is held in memory, on every route: it has to arrive within a deadline, and all of them
 * together have a budget. Exempt are routes whose body is a file that is streamed (`config.fileUpload`): see
 * `receiveFile`.
 */
export function limitBodies(app: FastifyInstance, { deadlineMs, maxBufferedBytes }: BodyLimits): void {
  const budget = createByteBudget(maxBufferedBytes);
  const shares = new WeakMap<FastifyRequest, ByteShare>();

  app.addHook('onRequest', async (request) => {
    // Nobody reads the body of a request for what is not there, so it is not received either.
    if (request.is404) request.headers = WITHOUT_BODY;
  });

  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.is404 || BODYLESS.has(request.method) || isFileUpload(request)) return done(null, payload);
    const share = budget.open();
    shares.set(request, share);
    reply.raw.once('close', share.release);
    const length = readLength(request);
    if (!share.grow(length ?? 0)) return done(new BodyBudgetError('No room for the body.'));
    const late = () =>
      new BodyTimeoutError(`The body did not arrive whole within ${deadlineMs / 1000} s. Send it again.`);
    if (isMultipart(request)) {
      // Its parser reads past `payload`.
      afterDeadline(request, deadlineMs, () => reply.sent || reply.send(late()));
      return done(null, payload);
    }
    const hasRoom = (bytes: number) => length !== null || share.grow(bytes);
    const checked = checkChunks(payload, (bytes) =>
      hasRoom(bytes) ? null : new BodyBudgetError('No room for more of the body.'),
    );
    afterDeadline(request, deadlineMs, () => checked.destroy(late()));
    return done(null, checked);
  });

  app.addHook('onSend', async (request) => {
    // What is still to come of a refused body is discarded.
    if (!request.raw.complete) shares.get(request)?.release();
  });
}

/** Fastify lays these over the headers as they came, and finds no body to parse. */
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
 * The bytes to reserve before the body is read; null when its chunks are counted as they come. A body that announces
 * more than its route takes is refused unread. Multipart is not counted: its parser reads past `payload`.
 */
function readLength(request: FastifyRequest): number | null {
  const { bodyLimit } = request.routeOptions;
  const announced = request.raw.headers['content-length'];
  if (announced === undefined) return isMultipart(request) ? bodyLimit : null;
  const length = Number(announced);
  return length > bodyLimit ? 0 : length;
}

/** Calls `act` unless the body was whole in time. */
function afterDeadline({ raw }: FastifyRequest, deadlineMs: number, act: () => unknown): void {
  const timer = setTimeout(() => raw.complete || raw.readableEnded || act(), deadlineMs);
  const cancel = () => clearTimeout(timer);
  raw.once('end', cancel).once('close', cancel);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file, of any type or as a part of a multipart form, that is never held in memory. */
    readonly fileUpload?: 'any type' | 'multipart';
  }
}

/** The body as it is, until `check` objects to the length of a chunk: then it fails with that error. */
export function checkChunks(body: Readable, check: (bytes: number) => Error | null): Readable {
  const checked = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      const objection = check(chunk.length);
      if (objection) done(objection);
      else done(null, chunk);
    },
  });
  // Not a pipeline: that would close the connection, and nobody could be told why.
  body.once('error', (error) => checked.destroy(error));
  // Its reader may have given up before.
  checked.on('error', () => undefined);
  return body.pipe(checked);
}

/** The bytes of request bodies that this process holds in memory. */
export interface ByteBudget {
  /** A share of the budget for one request; empty at first. */
  open(): ByteShare;
}

export interface ByteShare {
  /** Adds bytes to the share. False: there is no room for them, and nothing was added. */
  grow(bytes: number): boolean;
  /** Gives back everything. It may be called more than once. */
  release(): void;
}

/** Almost every order and form is smaller. */
const MAX_SMALL_BODY = 64 * 1024;
/** Large bodies may fill so much of the budget: a flood of them leaves room for orders, which are small. */
const SHARE_OF_LARGE = 0.75;

export function createByteBudget(maxBytes: number): ByteBudget {
  let inUse = 0;
  return {
    open() {
      let held = 0;
      return {
        grow(bytes) {
          const limit = held + bytes > MAX_SMALL_BODY ? maxBytes * SHARE_OF_LARGE : maxBytes;
          if (inUse + bytes > limit) return false;
          inUse += bytes;
          held += bytes;
          return true;
        },
        release() {
          inUse -= held;
          held = 0;
        },
      };
    },
  };
}
