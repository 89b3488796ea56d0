import type { FastifyPluginAsync } from 'fastify';
import { databaseAnswers } from './database-answers.ts';
import { healthDocs, readinessDocs } from './health-docs.ts';
import type { HttpOptions, HttpPorts } from './http-ports.ts';
import { documented } from './openapi/documented.ts';
import type { IntakeLimit } from './webhooks/limit-intake.ts';

const READY_WITHIN_MS = 1000;

/** For whoever watches the process: is it alive, and may it be sent requests? */
export function healthRoutes(
  { database }: Pick<HttpPorts, 'database'>,
  { isDraining }: Pick<HttpOptions, 'isDraining'>,
  intake: Pick<IntakeLimit, 'isStalled'>,
): FastifyPluginAsync {
  // Probes come every few seconds and say nothing while all is well.
  const quiet = { logLevel: 'warn' } as const;
  return async (app) => {
    app.get('/healthz', { ...quiet, schema: documented(healthDocs) }, async (_request, reply) =>
      reply.header('cache-control', 'no-store').send({ status: 'ok' }),
    );

    app.get('/readyz', { ...quiet, schema: documented(readinessDocs) }, async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      if (isDraining()) return reply.code(503).send({ status: 'draining' });
      const ready = await databaseAnswers(database, READY_WITHIN_MS);
      if (!ready) return reply.code(503).send({ status: 'database-away' });
      // Each sees what the other cannot: who waits for a connection, and who waits to be recorded together with others.
      const isStuck = database.isExhausted?.() || intake.isStalled();
      return isStuck ? reply.code(503).send({ status: 'overloaded' }) : { status: 'ready' };
    });
  };
}
