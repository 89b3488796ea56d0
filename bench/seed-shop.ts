import type pg from 'pg';

/**
 * Fills the only organisation with a year of sales: this many purchases of 500 products by a fifth as many customers,
 * each with its receipt, link, log entry and download, and some failures of every kind.
 */
export async function seedShop(client: pg.Client, count: number): Promise<void> {
  for (const statement of STATEMENTS) await client.query(statement.replaceAll('COUNT', String(count)));
}

/** An id as of UUIDv7: in the order of time. */
const ID = `(to_hex(n + 268435456) || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;

const STATEMENTS = [
  `create temporary table shop as
   select org_id, id as product_id, active_version_id as version_id, gen_random_uuid() as connection_id,
     gen_random_uuid() as body_id
   from products where active_version_id is not null limit 1`,
  `create temporary table sale as
   select n, ${ID} as id, now() - (COUNT - n) * interval '365 days' / COUNT as at,
     1 + n % (COUNT / 5) as customer, 1 + (n * 7) % 500 as product
   from generate_series(1, COUNT) n`,
  `create temporary table bench_products as
   select n, gen_random_uuid() as id, gen_random_uuid() as version_id from generate_series(1, 500) n`,
  `insert into products (org_id, id, name, slug, status, created_at, updated_at)
   select org_id, id, 'Product ' || n, 'product-' || n, case when n % 50 = 0 then 'draft' else 'published' end,
     now() - n * interval '1 hour', now()
   from bench_products, shop`,
  `insert into product_versions (org_id, id, product_id, version, status, created_at)
   select org_id, bench.version_id, id, '1.0', 'ready', now() from bench_products bench, shop`,
  `insert into version_files (org_id, version_id, name, size, sha256)
   select org_id, bench.version_id, 'files.zip', 1000, repeat('0', 64) from bench_products bench, shop`,
  `update products set active_version_id = bench.version_id from bench_products bench where bench.id = products.id`,
  `insert into connections (org_id, id, platform, name, created_at)
   select org_id, connection_id, 'storefront-b', 'bench', now() from shop`,
  `create temporary table bench_customers as
   select n, gen_random_uuid() as id from generate_series(1, COUNT / 5) n`,
  `insert into customers (org_id, id, email, email_normalized, name, search_words, created_at)
   select org_id, id, 'buyer' || n || '@example.com', 'buyer' || n || '@example.com', 'Buyer' || n || ' Lima',
     'buyer' || n || ' lima buyer' || n || ' example com', now()
   from bench_customers, shop`,
  `insert into outgoing_emails (org_id, id, kind, customer_id, connection_id, order_id, order_number, status, last_answer,
     pending_since, next_try_at, sent_at, created_at)
   select org_id, sale.id, 'receipt', customer.id, connection_id, (900000 + sale.n)::text, '#' || sale.n,
     case when sale.n % 1000 = 0 then 'refused' else 'sent' end, '250 OK', at, at,
     case when sale.n % 1000 = 0 then null else at + interval '1.4 s' end, at
   from sale join bench_customers customer on customer.n = sale.customer, shop`,
  `insert into purchases (org_id, id, customer_id, product_id, version_id, amount, currency, payment_method, source,
     connection_id, order_id, order_number, receipt_id, created_at)
   select org_id, sale.id, customer.id, product.id, product.version_id, 49.00, 'EUR', 'card', 'storefront-b',
     connection_id, (900000 + sale.n)::text, '#' || sale.n, sale.id, at
   from sale join bench_customers customer on customer.n = sale.customer
   join bench_products product on product.n = sale.product, shop`,
  `insert into download_links (org_id, id, purchase_id, created_at, expires_at, opened_count, last_opened_at)
   select org_id, id, id, at, at + interval '48 hours', 1, at from sale, shop`,
  `insert into download_sessions (org_id, id, link_id, product_id, started_at, last_byte_at, bytes, completed_at,
     sent_whole)
   select org_id, sale.id, sale.id, product.id, at, at, 1000, case when sale.n % 4 > 0 then at + interval '20 s' end,
     sale.n % 8 > 0
   from sale join bench_products product on product.n = sale.product, shop`,
  `insert into download_session_files (org_id, session_id, version, name, size, sent)
   select org_id, id, '1.0', 'files.zip', 1000, int8multirange(int8range(0, case when n % 8 > 0 then 1000 else 400 end))
   from sale, shop`,
  `insert into delivery_bodies (org_id, id, bytes, headers, received_at)
   select org_id, body_id, '{}', '{}', now() from shop`,
  // Some orders failed as a whole, some wait for a draft, some name an unknown SKU.
  `insert into deliveries (org_id, id, platform, connection_id, body_id, order_id, received_at, status, reason,
     attempts, decided_at)
   select org_id, id, 'storefront-b', connection_id, body_id, (900000 + n)::text, at,
     case when n % 1000 = 0 then 'error' else 'success' end, null, 1, at
   from sale, shop
   union all
   select org_id, overlay(id::text placing 'a' from 20)::uuid, 'storefront-b', connection_id, body_id, 'bad-' || n, at,
     case when n % 600 = 0 then 'held' else 'error' end, 'The order came without an e-mail address.', 1, at
   from sale, shop where n % 200 = 0`,
  `insert into delivery_lines (org_id, delivery_id, position, sku, outcome, product_id, purchase_id)
   select org_id, sale.id, 0, 'product-' || product, 'delivered', bench.id, sale.id
   from sale join bench_products bench on bench.n = product, shop`,
  `insert into delivery_lines (org_id, delivery_id, position, sku, outcome, product_id, candidate, sku_key, platform)
   select org_id, overlay(sale.id::text placing 'a' from 20)::uuid, 0, 'sku-' || sale.n % 37,
     case when sale.n % 600 = 0 then 'held' else 'unmatched' end,
     case when sale.n % 600 = 0 then bench.id end, 'sku',
     case when sale.n % 600 = 0 then null else 'sku-' || sale.n % 37 end, 'storefront-b'
   from sale join bench_products bench on bench.n = 50 * (1 + sale.n % 10), shop
   where sale.n % 400 <> 0 and sale.n % 200 = 0`,
  `insert into activity (org_id, id, at, kind, subject_id, summary)
   select org_id, id, at, 'order-delivered', id, 'Sold.' from sale, shop`,
  `insert into rejected_deliveries (org_id, id, platform, received_at, reason, bytes, headers)
   select org_id, gen_random_uuid(), 'storefront-b', now(), 'No secret fits.', '{}', '{}'
   from shop, generate_series(1, 100)`,
  'vacuum analyze',
];
