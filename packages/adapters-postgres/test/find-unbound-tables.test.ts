import { expect, it } from 'vitest';
import { findUnboundTables } from './find-unbound-tables.ts';

const TENANTS = new Set(['purchases', 'customers']);
const JOIN = 'select from purchases purchase join customers customer on customer.id = purchase.customer_id';

it.each([
  ['select from purchases where org_id = $1 and id = $2'],
  ['select from organisations where id = $1'],
  [`${JOIN} and customer.org_id = $1 where purchase.org_id = $1::uuid`],
  ['with page as (select * from purchases where org_id = $1) select from page'],
  ['with purchases as (select 1 as id) select from purchases'],
  [`select (select name from customers where org_id = $1) from purchases where $1 = org_id`],
  ['update purchases set amount = 1 from unnest($2::uuid[]) as changed (id) where purchases.org_id = $1'],
  ['delete from purchases gone using customers customer where gone.org_id = $1 and customer.org_id = $1'],
  ['insert into purchases (org_id, id) select $1::uuid, id from unnest($2::uuid[]) as id'],
  ['(select id from purchases where org_id = $1) union select id from customers where org_id = $1'],
])('finds nothing in %s', async (statement) => {
  expect(await findUnboundTables(statement, TENANTS)).toEqual([]);
});

it.each([
  ['select from purchases where id = $1', ['purchases']],
  ['select from purchases where org_id = $1 or id = $2', ['purchases']],
  [`${JOIN} and customer.org_id = purchase.org_id where purchase.org_id = $1`, ['customers customer']],
  [
    'select from purchases left join lateral (select from customers where org_id = purchases.org_id) c on true where org_id = $1',
    ['customers'],
  ],
  ['select from x where exists (select from purchases where id = $1)', ['purchases']],
  ['with page as (select * from purchases) select from page where org_id = $1', ['purchases']],
  ['select id from purchases where org_id = $1 union select id from customers', ['customers']],
  ['update purchases set org_id = $1 where id = $2', ['purchases']],
  ['delete from purchases using customers where customers.org_id = $1', ['purchases']],
  ['insert into purchases select * from unnest($1::uuid[])', ['purchases']],
])('finds what %s leaves open', async (statement, tables) => {
  expect([...new Set(await findUnboundTables(statement, TENANTS))]).toEqual(tables);
});
