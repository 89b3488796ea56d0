// How much memory the server takes to list very many purchases, and how fast it does: npm run bench -- list-purchases
import { connectDatabase } from './connect-database.ts';
import { startTrialServer } from './trial-server.ts';

const COUNT = Number(process.argv[3] ?? 200_000);
const server = await startTrialServer();
try {
  const { url, key } = server;
  await addPurchases();
  console.log(`${COUNT} purchases; the server stands at ${await server.memory('VmRSS')} MB`);
  const began = performance.now();
  const response = await fetch(`${url}/api/purchases`, { headers: { authorization: `Bearer ${key}` } });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  const seconds = (performance.now() - began) / 1000;
  const megabytes = (bytes / 1e6).toFixed(0);
  console.log(
    `listed ${megabytes} MB in ${seconds.toFixed(1)} s; at its peak the server had ${await server.memory('VmHWM')} MB`,
  );
} finally {
  await server.end();
}

async function addPurchases(): Promise<void> {
  const client = await connectDatabase(server);
  await client.query(
    `with shop as (select org_id, id as product_id, active_version_id as version_id from products limit 1),
       buyer as (
         insert into customers (org_id, id, email, email_folded, name, created_at)
         select org_id, gen_random_uuid(), 'a@b.c', 'a@b.c', 'Ana Lima', now() from shop returning id
       ),
       sale as (
         insert into purchases (org_id, id, customer_id, product_id, version_id, amount, currency, payment_method, source, created_at)
         select org_id, gen_random_uuid(), buyer.id, product_id, version_id, 49.00, 'EUR', 'custom', 'api', now() - n * interval '1 second'
         from shop, buyer, generate_series(1, $1::integer) n
         returning org_id, id, created_at
       )
     insert into download_links (org_id, id, purchase_id, created_at, expires_at)
     select org_id, gen_random_uuid(), id, created_at, created_at + interval '48 hours' from sale`,
    [COUNT],
  );
  await client.query('analyze');
  await client.end();
}
