import { type MetricsEndpoint, metricsRoutes } from '@handover/adapters-http';
import { fastify } from 'fastify';
import type { Logger } from 'pino';

/** A listener for `GET /metrics` alone, which no proxy leads to: a process that only works on jobs has no other. */
export async function serveMetrics(
  endpoint: MetricsEndpoint,
  { host, port }: { readonly host: string; readonly port: number },
  log: Logger,
): Promise<{ close(): PromiseLike<unknown> }> {
  const app = fastify();
  app.register(metricsRoutes(endpoint, { mayForwardTo: false }));
  const url = await app.listen({ host, port });
  log.info(`metrics at ${url}/metrics`);
  return app;
}
