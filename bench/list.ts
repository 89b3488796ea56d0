// A very long list of purchases as JSON, beside PostgreSQL's COPY of the same rows as JSON:
// npm run bench -- list [--rows N]
import { fillShop, measureStream } from './speed/measure-stream.ts';
import { inWorld } from './speed/open-world.ts';
import { readOptions } from './speed/read-options.ts';

const { rows } = readOptions({ rows: 1_000_000 });
await inWorld({ shops: 1 }, async (world) => {
  await fillShop(world, rows);
  const copy = `(
    select json_build_object('id', purchase.id, 'orgId', purchase.org_id, 'customerId', customer.id,
      'customerName', customer.name, 'customerEmail', customer.email, 'productId', product.id,
      'productName', product.name, 'productSlug', product.slug, 'amount', purchase.amount::text,
      'currency', purchase.currency, 'paymentMethod', purchase.payment_method, 'source', purchase.source,
      'orderId', purchase.order_id, 'createdAt', purchase.created_at, 'downloadUrl', link.id,
      'downloadExpiresAt', link.expires_at, 'downloadUsedAt', link.used_at, 'receiptSentAt', receipt.sent_at)
    from purchases purchase
    join customers customer on customer.org_id = purchase.org_id and customer.id = purchase.customer_id
    join products product on product.org_id = purchase.org_id and product.id = purchase.product_id
    left join outgoing_emails receipt on receipt.org_id = purchase.org_id and receipt.id = purchase.receipt_id
    left join download_links link on link.org_id = purchase.org_id and link.purchase_id = purchase.id
    where purchase.org_id = '${world.shop.orgId}'
    order by purchase.created_at desc, purchase.id desc
  ) to stdout`;
  await measureStream(world, {
    name: 'purchases as JSON',
    path: '/api/purchases',
    copy,
    rows,
    atLeast: 0.8,
    atMostMegabytes: 64,
  });
});
