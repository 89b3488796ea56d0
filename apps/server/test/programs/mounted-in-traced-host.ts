import { FastifyOtelInstrumentation } from '@fastify/otel';
import { trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';

// A shop's own server that traces its requests as docs/operating.md says. OpenTelemetry starts before Handover is loaded.
const { env } = process;
const sdk = new NodeSDK({ serviceName: 'shop' });
sdk.start();
const requests = new FastifyOtelInstrumentation({
  requestHook: (span, { routeOptions }) => span.setAttribute('url.path', routeOptions.url ?? 'none'),
});
requests.setTracerProvider(trace.getTracerProvider());
const [{ fastify }, { createHandover }] = await Promise.all([
  import('fastify'),
  import('../../src/index.ts'),
]);

const handover = createHandover({
  databaseUrl: env.DATABASE_URL ?? '',
  files: env.FILES_URL ?? '',
  mail: { smtpUrl: env.SMTP_URL ?? '', from: env.MAIL_FROM ?? '' },
  secret: env.HANDOVER_SECRET ?? '',
  siteUrl: env.SITE_URL ?? '',
  settings: { DATA_DIR: env.DATA_DIR ?? '' },
});
const shop = fastify();
await shop.register(requests.plugin());
await shop.register(handover.plugin, { prefix: '/downloads' });
await handover.start();
await shop.listen({ port: Number(env.PORT), host: '127.0.0.1' });
console.log(`"listening at ${env.SITE_URL}"`);
process.once('SIGTERM', async () => {
  await shop.close();
  await sdk.shutdown();
});
