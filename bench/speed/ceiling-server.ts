// The minimum of a durable webhook receiver, in its own process: check the HMAC, insert the body, answer. Without the
// insertion, nothing is durable: no server with this library and one event loop is faster. It also serves a constant
// response without a database.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import pg from 'pg';

interface CeilingOptions {
  readonly databaseUrl: string;
  readonly header: string;
  readonly secret: string;
  readonly json: unknown;
  readonly inserts: boolean;
}

const POOL_SIZE = 16;
const { databaseUrl, header, secret, json, inserts }: CeilingOptions = JSON.parse(process.env.CEILING ?? '');
const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL_SIZE });
await pool.query('drop table if exists bench_ceiling');
await pool.query(
  'create table bench_ceiling (id bigint generated always as identity primary key, at timestamptz not null, body bytea not null)',
);

const app = Fastify();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
app.removeContentTypeParser('application/json');
app.post<{ Body: Buffer }>('/webhooks/*', async ({ headers, body }, reply) => {
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(String(headers[header]), 'base64');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return reply.code(401).send({});
  if (!inserts) return { received: true };
  const text = 'insert into bench_ceiling (at, body) values (now(), $1)';
  await pool.query({ name: 'insert', text, values: [body] });
  return { received: true };
});
app.get('/api/products', async () => json);
await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.((app.server.address() as AddressInfo).port);
process.on('disconnect', () => process.exit());
