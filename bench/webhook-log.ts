// How fast the page of the webhook log answers with very many entries:
// npm run bench -- webhook-log
import { connectDatabase } from './connect-database.ts';
import { signIn } from './sign-in.ts';
import { startTrialServer } from './trial-server.ts';

const COUNT = Number(process.argv[3] ?? 100_000);
const TRIES = 15;
const server = await startTrialServer();
try {
  const { middleId, connectionId, ownerEmail } = await addEntries();
  const cookie = await signIn(server, ownerEmail);
  const log = '/dashboard/webhook-log';
  console.log(`${COUNT} entries; the slowest and the median of ${TRIES} tries`);
  for (const [name, path] of [
    ['newest', log],
    ['older', `${log}?before=${middleId}`],
    ['held', `${log}?status=held`],
    ['one connection', `${log}?connection=${connectionId}`],
    ['one connection, held', `${log}?connection=${connectionId}&status=held`],
    ['an order number', `${log}?q=%2350001`],
    ['many order numbers', `${log}?q=5`],
    ['an address', `${log}?q=buyer777@`],
    ['many addresses', `${log}?q=buyer`],
    ['a rare SKU', `${log}?q=rare-`],
    ['a SKU of long ago', `${log}?q=retired`],
    ['a SKU of long ago, held', `${log}?q=retired&status=held`],
    ['the SKU of all', `${log}?q=demo`],
    ['the SKU of all, held', `${log}?q=demo&status=held`],
    ['the SKU of all, of one connection', `${log}?q=demo&connection=${connectionId}`],
    ['nothing', `${log}?q=nothing-like-this`],
    ['a poll', `${log}/live`],
    ['an entry', `${log}/${middleId}`],
  ] as const) {
    const times: number[] = [];
    let rows = 0;
    for (let at = 0; at < TRIES; at += 1) {
      const began = performance.now();
      const answer = await fetch(`${server.url}${path}`, { headers: { cookie }, redirect: 'manual' });
      const body = await answer.text();
      rows = body.split('id="row-').length - 1;
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`);
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    const median = times[Math.floor(TRIES / 2)] ?? 0;
    console.log(`${name} (${rows} rows): ${median.toFixed(1)} ms, at most ${times.at(-1)?.toFixed(1)} ms`);
  }
} finally {
  await server.end();
}

/** Two of three delivered, some held, the others mixed; two connections; common, old and rare SKUs. */
async function addEntries() {
  const client = await connectDatabase(server);
  await client.query(
    `create temporary table seed as
     select n, lpad(to_hex(1760000000000 + n * 1000), 12, '0') as hex,
       case when n % 3 < 2 then 'success' when n % 97 = 2 then 'held' when n % 11 = 0 then 'error'
         else 'ignored' end as status
     from generate_series(1, $1::integer) n`,
    [COUNT],
  );
  await client.query(`alter table seed add column id uuid`);
  await client.query(
    `update seed set id = (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`,
  );
  await client.query(
    `insert into connections (org_id, id, platform, name, created_at)
     select id, gen_random_uuid(), 'storefront-b', shop, now() from organisations, unnest(array['one', 'two']) shop`,
  );
  await client.query(
    `with body as (
       insert into delivery_bodies (org_id, id, bytes, headers, received_at)
       select id, gen_random_uuid(), '{}', '{}', now() from organisations returning org_id, id
     )
     insert into deliveries (org_id, id, platform, connection_id, body_id, order_id, order_number, email_normalized,
       received_at, status, attempts, decided_at)
     select body.org_id, seed.id, 'storefront-b', connection.id, body.id, (900000 + n)::text, '#' || n,
       'buyer' || n % 30000 || '@example.com', to_timestamp(1760000000 + n), status, 1, now()
     from seed, body
     join connections connection on connection.org_id = body.org_id and connection.platform = 'storefront-b'
     where connection.name = case when n % 5 = 0 then 'two' else 'one' end`,
  );
  await client.query(
    `insert into delivery_lines (org_id, delivery_id, position, sku, outcome)
     select org_id, delivery.id, 0, case when n % 1000 = 0 then 'rare-' || n when n < 3000 then 'retired' else 'demo' end,
       case status when 'held' then 'held' else 'delivered' end
     from seed join deliveries delivery using (id, status)`,
  );
  await client.query('vacuum analyze');
  const { rows } = await client.query(
    `select (select id from seed where n = ${Math.floor(COUNT / 2)}) as "middleId",
       (select id from connections where name = 'two') as "connectionId",
       (select email from users where role = 'owner' limit 1) as "ownerEmail"`,
  );
  await client.end();
  return rows[0];
}
