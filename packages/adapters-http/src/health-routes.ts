import type { FastifyPluginAsync } from 'fastify';
import { Type } from 'typebox';
import { databaseAnswers } from './database-answers.ts';
import type { HttpOptions, HttpPorts } from './http-ports.ts';
import { documented } from './openapi/documented.ts';
import type { OperationDocs } from './openapi/operation-docs.ts';
import { json } from './openapi/responses.ts';
import { within } from './system-timer.ts';
import type { IntakeLimit } from './webhooks/limit-intake.ts';

const READY_WITHIN_MS = 1000;

/** Probes for monitoring: is the process alive, and can it take requests? */
export function healthRoutes(
  { database, checkFiles, checkMail }: Pick<HttpPorts, 'database' | 'checkFiles' | 'checkMail'>,
  { isDraining }: Pick<HttpOptions, 'isDraining'>,
  intake: Pick<IntakeLimit, 'isStalled'>,
): FastifyPluginAsync {
  // Probes come every few seconds and log nothing while all is well.
  const quiet = { logLevel: 'warn' } as const;
  const files = checkFiles ? createPartProbe(checkFiles) : async () => 'unknown' as const;
  const mail = checkMail ? createPartProbe(checkMail) : async () => 'unknown' as const;
  return async (app) => {
    app.get('/healthz', { ...quiet, schema: documented(healthDocs) }, async (_request, reply) =>
      reply.header('cache-control', 'no-store').send({ status: 'ok' }),
    );

    app.get('/readyz', { ...quiet, schema: documented(readinessDocs) }, async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      if (isDraining()) return reply.code(503).send({ status: 'draining' });
      const [isThere, ...others] = await Promise.all([
        databaseAnswers(database, READY_WITHIN_MS),
        files(),
        mail(),
      ]);
      // Without files or mail, orders are taken and pages are shown as usual, here as in every other process.
      const parts = { database: isThere ? 'ok' : 'away', files: others[0], mail: others[1] } as const;
      if (!isThere) return reply.code(503).send({ status: 'database-away', ...parts });
      // Each check sees what the other cannot: requests that wait for a connection, and requests that wait
      // to be recorded in a batch.
      const isStuck = database.isExhausted?.() || intake.isStalled();
      return reply.code(isStuck ? 503 : 200).send({ status: isStuck ? 'overloaded' : 'ready', ...parts });
    });
  };
}

const shared = { tag: 'Operations', origin: 'addition', access: 'open' } as const;

const status = (description: string, ...values: readonly string[]) =>
  Type.Object(
    { status: Type.Enum([...values], { description, examples: [values[0]] }) },
    { description: 'How it is.' },
  );

const part = (description: string) =>
  Type.Optional(Type.Enum(['ok', 'away', 'unknown'], { description, examples: ['ok'] }));

const readiness = (description: string, ...values: readonly string[]) =>
  Type.Object(
    {
      ...status(description, ...values).properties,
      database: part('Whether it answers now.'),
      files: part('Whether the file store answered in the last seconds. Downloads need it.'),
      mail: part('Whether the mail server let us in, in the last seconds. Receipts wait for it.'),
    },
    { description: 'The state of the process. While it drains, only its status.' },
  );

const healthDocs: OperationDocs = {
  ...shared,
  operationId: 'checkHealth',
  summary: 'Is the process alive?',
  description: 'Answers as long as the process does, with or without the database.',
  responses: { 200: json('The process is alive.', status('Always `ok`.', 'ok')) },
};

const readinessDocs: OperationDocs = {
  ...shared,
  operationId: 'checkReadiness',
  summary: 'Can this process take requests?',
  description:
    'For load balancers. Asks the database, and answers 503 while it is away, while the process drains or while it cannot accept webhooks. Reports files and mail, which orders do not need.',
  responses: {
    200: json('It can.', readiness('Always `ready`.', 'ready')),
    503: json(
      'It cannot.',
      readiness(
        '`database-away`: it does not answer. `overloaded`: it does, but webhooks have waited for it for two seconds and none was accepted. `draining`: the process was told to stop.',
        'database-away',
        'overloaded',
        'draining',
      ),
    ),
  },
};

/** `unknown`: it was not asked yet, or its first answer is not there yet. */
export type PartState = 'ok' | 'away' | 'unknown';

/** Rejects if the part does not do what it should. It gives up by itself. */
export type CheckPart = () => Promise<unknown>;

/** How old an answer may be: load balancers ask every few seconds, and each answer costs a mail server a sign-in. */
const ASK_EVERY_MS = 10_000;
/** How long the first caller waits. Later ones get what is known. */
const WAIT_MS = 300;

/** Reports the state of a part of the installation, without making its callers wait for a check. */
export function createPartProbe(
  check: CheckPart,
  now: () => number = () => performance.now(),
): () => Promise<PartState> {
  let state: PartState = 'unknown';
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;

  async function ask(): Promise<void> {
    askedAt = now();
    state = await check().then(
      () => 'ok',
      () => 'away',
    );
    asking = null;
  }

  return async () => {
    if (asking === null && now() - askedAt >= ASK_EVERY_MS) asking = ask();
    if (asking !== null && state === 'unknown') await within(WAIT_MS, asking);
    return state;
  };
}
