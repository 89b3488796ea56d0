import { createHandover } from '@handover/server';
import { fastify } from 'fastify';

// The shop's own server. Handover is a part of it, at /downloads.
const { env } = process;
const port = Number(env.PORT ?? 3000);
const siteUrl = env.SITE_URL ?? `http://127.0.0.1:${port}/downloads`;

const handover = createHandover({
  databaseUrl: env.DATABASE_URL ?? 'postgresql://handover:handover@127.0.0.1:5432/handover',
  files: env.FILES_URL ?? `file://${process.cwd()}/files`,
  mail: { smtpUrl: env.SMTP_URL ?? 'smtp://127.0.0.1:25', from: env.MAIL_FROM ?? 'orders@example.com' },
  secret: env.HANDOVER_SECRET ?? '',
  siteUrl,
});

const shop = fastify();
shop.get('/', async () => 'Lumen Audio');
shop.setNotFoundHandler((_request, reply) => reply.code(404).send('Not in this shop'));
await shop.register(handover.plugin, { prefix: '/downloads' });
await handover.start();
await shop.listen({ port });
console.log(`The shop is at http://127.0.0.1:${port}, its downloads at ${siteUrl}`);

// Closing the shop's server closes Handover as well. Then nothing is left open, and the process ends.
process.once('SIGTERM', () => shop.close());
