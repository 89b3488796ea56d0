import pg from 'pg';

/** A partition of the bodies, as PostgreSQL describes it. */
export interface TransferredWeek {
  readonly table: string;
  /** Such as `FOR VALUES FROM ('…') TO ('…')`. */
  readonly bounds: string;
}

export async function listWeeks(client: pg.ClientBase): Promise<readonly TransferredWeek[]> {
  const { rows } = await client.query<TransferredWeek>(
    `select leaf.relname as "table", pg_get_expr(leaf.relpartbound, leaf.oid) as bounds
     from pg_inherits join pg_class leaf on leaf.oid = inhrelid
     where inhparent = to_regclass('delivery_bodies') and leaf.relname <> 'delivery_bodies_default' order by 1`,
  );
  return rows;
}

/**
 * Divides the bodies that come as they were: else all of them would be in the default partition, which is locked and read
 * whole for each week that is made later. Weeks that overlap with those that are there are left out.
 */
export async function makeWeeks(client: pg.ClientBase, weeks: readonly TransferredWeek[]): Promise<void> {
  for (const { table, bounds } of weeks.filter(isWeek)) {
    const name = pg.escapeIdentifier(table);
    await client.query('savepoint week');
    await client
      .query(
        `create table ${name} (like delivery_bodies including all);
         alter table delivery_bodies attach partition ${name} ${bounds}`,
      )
      .catch(() => client.query('rollback to savepoint week'));
  }
}

/** The manifest of an export can hold anything. */
function isWeek({ table, bounds }: TransferredWeek): boolean {
  return (
    /^delivery_bodies_\w+$/.test(table) &&
    /^FOR VALUES FROM \((MINVALUE|'[\da-f-]{36}')\) TO \('[\da-f-]{36}'\)$/.test(bounds)
  );
}
