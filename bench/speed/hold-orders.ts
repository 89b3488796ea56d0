import { setTimeout as pause } from 'node:timers/promises';
import { type Shop, SKUS } from '../../checks/chaos/shop.ts';
import { setProductStatus } from '../../test/shop-api.ts';
import { followSignInLink } from '../sign-in.ts';
import { BUYERS, makeRequestOf } from './make-orders.ts';
import type { World } from './open-world.ts';
import { openConnection } from './raw-connection.ts';

/** Eight digits in the one order that was sent, which are different in each copy of it. */
const TEMPLATE = '77777777';
const [SKU] = SKUS;

/** A shop whose product is a draft and was sold this often. @returns how its owner publishes and delivers it. */
export async function holdOrders(world: World, shop: Shop, count: number): Promise<() => Promise<void>> {
  const [product] = await world.query<{ id: string }>(
    'select id from products where org_id = $1 and slug = $2',
    [shop.orgId, SKU],
  );
  const { url } = world.server();
  if (!product) throw new Error('The shop has no product.');
  await setProductStatus(url, shop.apiKey, product.id, 'draft');
  const cookie = await followSignInLink(url, shop.signInUrl);
  const { deliveryId, bodyId } = await sendTemplate(world, shop);
  for (const [table, key, id] of [
    ['delivery_bodies', 'id', bodyId],
    ['deliveries', 'id', deliveryId],
    ['delivery_lines', 'delivery_id', deliveryId],
  ] as const)
    await copyRows(world, { table, key, id, ids: [deliveryId, bodyId], orgId: shop.orgId, count });
  await world.query('vacuum analyze');
  return async () => {
    const page = `${url}/dashboard/products/${product.id}`;
    const shown = await (await fetch(page, { headers: { cookie } })).text();
    const token = /<meta name="(?:form|csrf)-token" content="([^"]+)"/.exec(shown)?.[1] ?? '';
    const body = new URLSearchParams({ 'form-token': token, 'csrf-token': token });
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(`${page}/deliver`, { method: 'POST', headers, body, redirect: 'manual' });
    if (answer.status !== 303) throw new Error(`${answer.status}: ${await answer.text()}`);
  };
}

interface Held {
  readonly deliveryId: string;
  readonly bodyId: string;
}

async function sendTemplate(world: World, { orgId }: Shop): Promise<Held> {
  const connection = openConnection(world.server().url);
  const email = `${BUYERS}held-${TEMPLATE}@example.test`;
  const sale = { orgId, platform: 'storefront-a', orderId: TEMPLATE, email, skus: [SKU] } as const;
  await connection.exchange(makeRequestOf(sale));
  connection.close();
  for (;;) {
    const [held] = await world.query<Held>(
      `select id as "deliveryId", body_id as "bodyId" from deliveries
       where org_id = $1 and order_id = $2 and status = 'held'`,
      [orgId, TEMPLATE],
    );
    if (held) return held;
    await pause(50);
  }
}

/**
 * Copies the rows as the product wrote them, with any columns. Only ids, order and buyer differ, in texts and in the
 * bytes of the body (as hexadecimal digits).
 */
async function copyRows(
  world: World,
  {
    table,
    key,
    id,
    ids,
    orgId,
    count,
  }: {
    readonly table: string;
    readonly key: string;
    readonly id: string;
    readonly ids: readonly string[];
    readonly orgId: string;
    readonly count: number;
  },
): Promise<void> {
  const columns = await world.query<{ name: string }>(
    `select quote_ident(column_name) as name from information_schema.columns
     where table_name = $1 and table_schema = current_schema() and is_generated = 'NEVER'`,
    [table],
  );
  const names = columns.map(({ name }) => name).join(', ');
  const copied = ids.reduce(
    (text, old) => `replace(${text}, '${old}', overlay('${old}' placing lpad(to_hex(n), 12, '0') from 25))`,
    `replace(replace(to_jsonb(original)::text, '${TEMPLATE}', number), encode('${TEMPLATE}', 'hex'), encode(number::bytea, 'hex'))`,
  );
  await world.query(
    `insert into ${table} (${names})
     select ${names.replace(/[^, ]+/g, 'copy.$&')} from ${table} original,
       lateral generate_series(1, $3::integer) n,
       lateral (select (20000000 + n)::text as number) numbered,
       lateral jsonb_populate_record(null::${table}, (${copied})::jsonb) copy
     where original.org_id = $1 and original.${key} = $2`,
    [orgId, id, count - 1],
  );
}
