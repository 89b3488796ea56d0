// The report of very many download sessions as CSV, beside PostgreSQL's COPY of the same rows as CSV:
// npm run bench -- report [--rows N]
import { fillShop, measureStream } from './speed/measure-stream.ts';
import { inWorld } from './speed/open-world.ts';
import { readOptions } from './speed/read-options.ts';

const { rows } = readOptions({ rows: 1_000_000 });
const DAY_MS = 24 * 60 * 60 * 1000;
await inWorld({ shops: 1 }, async (world) => {
  await fillShop(world, rows);
  const copy = `(
    select session.id, session.started_at, session.last_byte_at, session.bytes, session.completed_at, purchase.id,
      purchase.order_id, product.name, version.version, customer.name, customer.email, session.client,
      files.begun, files.whole
    from download_sessions session
    join download_links link on link.org_id = session.org_id and link.id = session.link_id
    join purchases purchase on purchase.org_id = session.org_id and purchase.id = link.purchase_id
    join customers customer on customer.org_id = session.org_id and customer.id = purchase.customer_id
    join products product on product.org_id = session.org_id and product.id = purchase.product_id
    left join product_versions version on version.org_id = session.org_id and version.id = purchase.version_id
    cross join lateral (
      select count(*) as begun, count(*) filter (where int8range(0, file.size) <@ file.sent) as whole
      from download_session_files file where file.org_id = session.org_id and file.session_id = session.id
    ) files
    where session.org_id = '${world.shop.orgId}'
    order by session.started_at, session.id
  ) to stdout with (format csv)`;
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  await measureStream(world, {
    name: 'download sessions as CSV',
    path: `/api/reports/downloads?from=${day(366)}&to=${day(0)}`,
    copy,
    rows,
    atLeast: 0.5,
    atMostMegabytes: 32,
  });
});
