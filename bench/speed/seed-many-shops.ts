import { printNote } from './metrics.ts';
import type { World } from './open-world.ts';

const SHOPS_AT_ONCE = 20;

/**
 * Fills the tables like shops after years: this many purchases in this many shops, including those of the world, each
 * with its customer, receipt, link, log entry and line. A shop has sold each of its customers five things.
 */
export async function seedManyShops(
  world: Pick<World, 'shops' | 'query'>,
  shops: number,
  purchases: number,
): Promise<void> {
  const each = Math.ceil(purchases / shops);
  for (const statement of SHOPS)
    await world.query(statement.replaceAll('SHOPS', String(shops - world.shops.length)));
  for (let from = 1; from <= shops; from += SHOPS_AT_ONCE) {
    for (const statement of SALES)
      await world.query(
        statement
          .replaceAll('EACH', String(each))
          .replaceAll('FROM_SHOP', String(from))
          .replaceAll('TO_SHOP', String(from + SHOPS_AT_ONCE - 1)),
      );
    if ((from - 1) % (SHOPS_AT_ONCE * 10) === 0)
      printNote(`${Math.min(shops, from + SHOPS_AT_ONCE - 1)} of ${shops} shops filled`);
  }
  await world.query('drop table bench_shops');
  await world.query('vacuum analyze');
}

/** In the form of UUIDv7: the ids of a table are in order of time. */
const id = (number: string) => `('01800000-' || lpad(to_hex(${number}), 4, '0') || '-7000-8000-' ||
  lpad(to_hex(shop.n), 4, '0') || lpad(to_hex(${number}), 8, '0'))::uuid`;
const SALE = id('sale.n');
const CUSTOMER = id('1 + sale.n % greatest(1, EACH / 5)');
const SALES_OF_SHOPS = `from bench_shops shop, generate_series(1, EACH) as sale (n)
  where shop.n between FROM_SHOP and TO_SHOP`;
const SOLD_AT = `now() - (EACH - sale.n) * interval '365 days' / EACH`;
const ORDER_ID = `(900000000 + sale.n)::text`;

const SHOPS = [
  `insert into organisations (id, name, email, created_at)
   select gen_random_uuid(), 'Shop ' || n, 'shop-' || n || '@bench.test', now() from generate_series(1, SHOPS) n`,
  `create table bench_shops as
   select row_number() over (order by created_at, id)::integer as n, id as org_id, gen_random_uuid() as product_id,
     gen_random_uuid() as version_id, gen_random_uuid() as connection_id
   from organisations`,
  `insert into catalogues (org_id) select org_id from bench_shops on conflict do nothing`,
  `insert into products (org_id, id, name, slug, status, created_at, updated_at)
   select org_id, product_id, 'Seeded', 'seeded', 'published', now(), now() from bench_shops`,
  `insert into product_versions (org_id, id, product_id, version, status, created_at)
   select org_id, version_id, product_id, '1.0', 'ready', now() from bench_shops`,
  `insert into version_files (org_id, version_id, name, size, sha256)
   select org_id, version_id, 'files.zip', 1000, repeat('0', 64) from bench_shops`,
  `update products set active_version_id = version_id from bench_shops shop where shop.product_id = products.id`,
  `insert into connections (org_id, id, platform, name, created_at)
   select org_id, connection_id, 'storefront-b', 'seeded', now() from bench_shops`,
];

const SALES = [
  `insert into customers (org_id, id, email, email_normalized, name, search_words, created_at)
   select org_id, ${id('sale.n')}, 'old' || sale.n || '@example.com', 'old' || sale.n || '@example.com', 'Ana Lima',
     'ana lima old' || sale.n || ' example com', now() - interval '1 year'
   from bench_shops shop, generate_series(1, 1 + EACH / 5) as sale (n) where shop.n between FROM_SHOP and TO_SHOP`,
  `insert into outgoing_emails (org_id, id, kind, customer_id, connection_id, order_id, order_number, status, last_answer, pending_since,
     next_try_at, sent_at, created_at)
   select org_id, ${SALE}, 'receipt', ${CUSTOMER}, connection_id, ${ORDER_ID}, '#' || sale.n, 'sent', '250 OK', ${SOLD_AT}, ${SOLD_AT},
     ${SOLD_AT}, ${SOLD_AT} ${SALES_OF_SHOPS}`,
  `insert into purchases (org_id, id, customer_id, product_id, version_id, amount, currency, payment_method, source,
     connection_id, order_id, order_number, receipt_id, created_at)
   select org_id, ${SALE}, ${CUSTOMER}, product_id, version_id, 49.00, 'EUR', 'card', 'storefront-b', connection_id,
     ${ORDER_ID}, '#' || sale.n, ${SALE}, ${SOLD_AT} ${SALES_OF_SHOPS}`,
  `insert into download_links (org_id, id, purchase_id, created_at, expires_at)
   select org_id, ${SALE}, ${SALE}, ${SOLD_AT}, ${SOLD_AT} + interval '48 hours' ${SALES_OF_SHOPS}`,
  `insert into delivery_bodies (org_id, id, bytes, headers, received_at)
   select org_id, ${SALE}, convert_to(repeat('0123456789', 80), 'UTF8'), '{}', ${SOLD_AT} ${SALES_OF_SHOPS}`,
  `insert into deliveries (org_id, id, platform, connection_id, body_id, order_id, order_number, email_normalized,
     received_at, status, attempts, decided_at)
   select org_id, ${SALE}, 'storefront-b', connection_id, ${SALE}, ${ORDER_ID}, '#' || sale.n,
     'old' || sale.n || '@example.com', ${SOLD_AT}, 'success', 1, ${SOLD_AT} ${SALES_OF_SHOPS}`,
  `insert into delivery_lines (org_id, delivery_id, position, sku, outcome, product_id, purchase_id)
   select org_id, ${SALE}, 0, 'seeded', 'delivered', product_id, ${SALE} ${SALES_OF_SHOPS}`,
];
