import { fulfilOrder, removeOldBodies } from '@handover/domain';
import { makeLine, makeOrder, recordOrder } from '@handover/testkit';
import { beforeEach, expect, it } from 'vitest';
import { firstIdAt } from '../src/ids.ts';
import { retention } from '../src/migrations/0038-retention.ts';
import { clock, ids, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';

openShopAnew(beforeEach);

const WEEK = 7 * 24 * 60 * 60 * 1000;

async function query(text: string) {
  return (await opened.database.pool.query(text)).rows;
}

/** Makes the tables what they were before the migration, with all rows that they have. */
const BEFORE = `
  alter table delivery_bodies rename to weeks;
  create table delivery_bodies (
    org_id uuid not null references organisations,
    id uuid not null,
    bytes bytea,
    headers jsonb not null,
    received_at timestamptz(3),
    constraint bodies_key primary key (org_id, id)
  );
  insert into delivery_bodies select * from weeks;
  drop table weeks;
  alter table delivery_bodies rename constraint bodies_key to delivery_bodies_pkey;
  alter table deliveries add foreign key (org_id, body_id) references delivery_bodies;
  create index bodies_oldest_first on delivery_bodies (received_at) where bytes is not null;
  drop index deliveries_needing_body, idempotency_keys_by_time, proofs_by_time, sign_ins_by_end, user_sessions_by_end;
  create index deliveries_of_body on deliveries (org_id, body_id);
`;

it('keeps what was there as one long week, and begins with the next one', async () => {
  const receive = async (orderId: string) => {
    const order = makeOrder(shop, { orderId, lines: [makeLine('unknown')] });
    const { id } = await recordOrder(ports(), order);
    await fulfilOrder(ports(), order, { id, attempts: 0 });
    return id;
  };
  const [removed, old, ahead] = [await receive('1'), await receive('2'), await receive('3')];
  const aheadId = firstIdAt(new Date(Date.now() + 3 * WEEK)).slice(0, 13) + ids.next().slice(13);
  await query(`${BEFORE}
    alter table deliveries drop constraint deliveries_org_id_body_id_fkey;
    update delivery_bodies set bytes = null, headers = '{}'
      where id = (select body_id from deliveries where id = '${removed}');
    update delivery_bodies set id = '${aheadId}' where id = (select body_id from deliveries where id = '${ahead}');
    update deliveries set body_id = '${aheadId}' where id = '${ahead}';
    alter table deliveries add foreign key (org_id, body_id) references delivery_bodies;
  `);
  await opened.database.db.transaction().execute(retention.up);

  const bodies = () =>
    Promise.all(
      [removed, old, ahead].map(async (id) => {
        const stored = await opened.stores.deliveries.find(shop.orgId, id);
        return stored?.body?.bytes.length ?? null;
      }),
    );
  expect(await bodies()).toEqual([null, 2, 2]);
  expect(await query('select tableoid::regclass::text as name from delivery_bodies order by 1')).toEqual([
    { name: 'delivery_bodies_default' },
    { name: 'delivery_bodies_old' },
  ]);
  const { maintenance } = opened.stores;
  const now = new Date();
  // This week is a part of the long one. The body that is ahead moves into its week.
  expect(await maintenance.rotateBodies(now, new Date(now.getTime() - WEEK))).toEqual({
    made: 4,
    dropped: 0,
  });
  expect(await bodies()).toEqual([null, 2, 2]);
  clock.advance(WEEK + 1);
  expect(await removeOldBodies({ clock, maintenance }, 7)).toBe(1);
  expect(await bodies()).toEqual([null, null, 2]);
  expect(await maintenance.rotateBodies(now, new Date(now.getTime() + WEEK))).toEqual({
    made: 0,
    dropped: 1,
  });
});
