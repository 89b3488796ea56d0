import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import { describe, expect, it } from 'vitest';
import { unnestRows } from '../src/statements/rows.ts';

const db = new Kysely<object>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

describe('unnestRows', () => {
  it('passes one array for each column, from the member of its name', () => {
    const rows = [
      { orderId: 'A-1', soldAt: 1, note: null },
      { orderId: 'A-2', soldAt: 2 },
    ];
    const table = unnestRows(rows).as(`sold (
      order_id text, sold_at integer,
      note text
    )`);
    expect(sql`select * from ${table} where true`.compile(db)).toMatchObject({
      sql: 'select * from unnest($1::text[], $2::integer[], $3::text[]) as sold (order_id, sold_at, note) where true',
      parameters: [
        ['A-1', 'A-2'],
        [1, 2],
        [null, undefined],
      ],
    });
  });

  it('refuses a column that no member has, at compile time', () => {
    // @ts-expect-error The rows have no member `orderNumber`.
    const table = unnestRows([{ orderId: 'A-1' }]).as('sold (order_id text, order_number text)');
    expect(table.compile(db).parameters).toEqual([['A-1'], [undefined]]);
  });
});
