import { connect } from 'node:net';
import { sampleSamCart } from '@handover/platform-cart-a/testing';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startMailServer } from './support/mail-server.ts';
import {
  type CommandOutcome,
  type Environment,
  runCli,
  runCliHere,
  startTracedServer,
} from './support/server-process.ts';
import { listPurchases, makeDatabase, makeInstallation, openShop, until } from './support/shop.ts';
import { startTcpProxy } from './support/tcp-proxy.ts';

// The middle of each has the same spelling in a URL, in JSON, in a log and in a table, so that no encoding hides it.
const RIGHT = 'é/Gr4ngeHush+ &"%';
const WRONG = 'é/Fl0renceHush+ &"%';
const NEEDLES = ['Gr4ngeHush', 'Fl0renceHush', ...[RIGHT, WRONG].flatMap(spell)];

type Run = (...ran: readonly [Environment, readonly string[]]) => Promise<CommandOutcome>;

it('the secret in the URL of cart-a is in no log line, answer, error or stored row', async () => {
  const mailServer = await startMailServer();
  const direct = await makeDatabase();
  const proxy = await startTcpProxy(direct);
  const environment = await makeInstallation(mailServer, proxy.url);
  const server = await startTracedServer(environment);
  const shop = await openShop(environment, server.url);
  const said: string[] = [];

  const path = `/webhooks/${shop.orgId}/cart-a`;
  const [right, wrong] = [encodeURIComponent(RIGHT), encodeURIComponent(WRONG)];
  const ask = async (target: string, method = 'POST', body: Uint8Array | string = order('1')) => {
    const hasBody = !['GET', 'HEAD'].includes(method);
    // One connection each: the server closes a connection on which it received a malformed request.
    const headers = { referer: `${server.url}${path}?secret=${right}`, connection: 'close' };
    const options = { method, headers, ...(hasBody ? { body: Buffer.from(body) } : {}) };
    const response = await fetch(`${server.url}${target}`, options);
    said.push(JSON.stringify([...response.headers]), await response.text());
    return response.status;
  };
  const command = async (run: Run, verb: string, secret: string, more: readonly string[] = []) => {
    const words = ['integration', verb, '--org', shop.orgId, '--platform', 'cart-a', '--secret', secret];
    const { code, stdout, stderr } = await run(environment, [...words, ...more, '--json']);
    said.push(stdout, stderr);
    return { code, ...(JSON.parse(stdout) as { readonly delivered?: number }) };
  };

  // Before it is set up, the right secret is rejected; wrong ones always are.
  expect(await ask(`${path}?secret=${right}`, 'POST', order('early'))).toBe(401);
  expect(await ask(`${path}?secret=${wrong}`, 'POST', order('forged'))).toBe(401);
  expect(await command(runCli, 'set', RIGHT, ['--deliver-rejected'])).toMatchObject({
    code: 0,
    delivered: 1,
  });
  expect((await command(runCliHere, 'add-secret', RIGHT)).code).toBe(0);
  expect(await ask(`${path}?secret=${right}`, 'POST', order('2'))).toBe(200);
  expect(await ask(`${path}?secret=${right}`, 'POST', '{"broken')).toBe(400);
  expect(await ask(`${path}?secret=${right}`, 'POST', Buffer.alloc(5 * 1024 * 1024 + 1))).toBe(413);
  expect(await ask(`${path}?secret=${right}`, 'HEAD')).toBe(200);
  expect(await ask(`${path}?secret=${wrong}`, 'HEAD')).toBe(401);
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'])
    expect(await ask(`${path}?secret=${right}`, method)).toBe(405);
  for (const query of [
    `secret=${right}&secret=${right}`,
    `secret=${right}&secret=${wrong}`,
    `secret[]=${right}`,
    `SECRET=${right}`,
    `secret=${right}%zz`,
    `secret=${right}%00`,
    `secret=%ff${right}`,
    `secret=${right.slice(0, -1)}`,
  ]) {
    expect([query, await ask(`${path}?${query}`)]).toEqual([query, 401]);
  }
  for (const target of [
    `/webhooks/01900000-0000-7000-8000-000000000000/cart-a?secret=${right}`,
    `/webhooks/nobody/cart-a?secret=${right}`,
    `/webhooks/%zz/cart-a?secret=${right}`,
    `/webhooks/${shop.orgId}/cart-b?secret=${right}`,
    `${path}/${right}`,
    `${path}/?secret=${right}`,
    `/${right}`,
    `/d/${right}?secret=${right}`,
    `/api/purchases?secret=${right}`,
  ]) {
    expect([target, (await ask(target)) >= 400]).toEqual([target, true]);
  }
  for (const request of [
    `POST ${path}?secret=${right} HTTP/9.9\r\n\r\n`,
    `POST ${path}?secret=${right} HTTP/1.1\r\nHost: x\r\nContent-Length: nonsense\r\n\r\n`,
    `POST ${path}?secret=${right} HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`,
    `POST ${path}?secret=Gr4ngeHush ${RIGHT} HTTP/1.1\r\nHost: x\r\n\r\n`,
    `POST ${path}?secret=${right} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`,
  ]) {
    said.push(await sendRaw(server.url, request));
  }

  for (const fail of [() => proxy.goAway(), async () => proxy.freeze()]) {
    await fail();
    for (const secret of [right, wrong]) {
      expect(await ask(`${path}?secret=${secret}`, 'POST', order('3'))).toBe(503);
      expect(await ask(`${path}?secret=${secret}`, 'HEAD')).toBe(503);
    }
    await proxy.comeBack();
    await until(async () => (await fetch(`${server.url}/readyz`)).ok);
  }
  expect(await until(async () => (await ask(`${path}?secret=${right}`, 'POST', order('3'))) === 200)).toBe(
    true,
  );
  await until(async () => (await listPurchases(server.url, shop.apiKey)).length === 3);
  await mailServer.waitForMails(3);
  await server.end();

  expect(server.printed()).toMatch(/"deliveryStatus"/);
  for (const needle of NEEDLES) {
    expect([needle, linesWith(server.printed(), needle)]).toEqual([needle, []]);
    expect([needle, said.filter((text) => text.includes(needle))]).toEqual([needle, []]);
  }
  const { searched, found } = await searchTables(direct, NEEDLES);
  expect(found).toEqual([]);
  // Checks that the search covered everything: bodies, rejected requests and the queue among the rest.
  const places = [
    'public.delivery_bodies.bytes',
    'public.rejected_deliveries.headers',
    'public.jobs.subject',
  ];
  expect(places.filter((place) => !searched.includes(place))).toEqual([]);
  expect((await searchTables(direct, ['ines@example.com', 'cart-a'])).found).not.toEqual([]);
});

function order(orderId: string): Uint8Array {
  return sampleSamCart({ order: { id: orderId.length > 1 ? '77' : orderId, total: '49.00' } }, [
    { sku: 'felt-piano' },
  ]);
}

function spell(secret: string): readonly string[] {
  const asForm = new URLSearchParams({ secret }).toString().slice('secret='.length);
  return [secret, encodeURIComponent(secret), asForm, JSON.stringify(secret).slice(1, -1)];
}

function linesWith(text: string, needle: string): readonly string[] {
  return text.split('\n').filter((line) => line.includes(needle));
}

/** The response to bytes that no HTTP client would send. */
function sendRaw(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.end(request));
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

/** Searches every column of every table, of any type, including the job queue. */
async function searchTables(url: string, needles: readonly string[]) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: columns } = await client.query<{
      table: string;
      column: string;
      place: string;
      type: string;
    }>(
      `select format('%I.%I', c.table_schema, c.table_name) as table, format('%I', c.column_name) as column,
         concat_ws('.', c.table_schema, c.table_name, c.column_name) as place, c.data_type as type
       from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
       where t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')`,
    );
    const holds = ({ type, column }: (typeof columns)[number]) =>
      type === 'bytea'
        ? `position(convert_to(needle, 'UTF8') in ${column}) > 0`
        : `position(needle in ${column}::text) > 0`;
    const queries = columns.map(
      (column) =>
        `select '${column.place}' as place from ${column.table}, unnest($1::text[]) as needle where ${holds(column)}`,
    );
    const { rows } = await client.query<{ place: string }>(queries.join(' union '), [needles]);
    return { searched: columns.map(({ place }) => place), found: rows.map(({ place }) => place) };
  } finally {
    await client.end();
  }
}
