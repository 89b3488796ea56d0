import type pg from 'pg';

/** Where a statement is executed. */
export type Execution =
  /** Its tables are on the coordinator alone. */
  | { readonly kind: 'coordinator' }
  /** Each of its parts goes to this many shards; 1: of one organisation, or a reference table. */
  | { readonly kind: 'shards'; readonly count: number }
  /** The coordinator sends rows to the shards of their organisations. */
  | { readonly kind: 'rows' }
  | { readonly kind: 'refused'; readonly why: string };

/** Plans a statement with these values, and does not execute it. */
export async function planStatement(
  client: pg.Client,
  text: string,
  values: readonly unknown[],
): Promise<Execution> {
  const planned = await explain(client, text, values);
  // It also says so of what it executes: where the coordinator sends the rows, its `explain` loses the parameters.
  return planned.kind === 'refused' && planned.why === 'could not create distributed plan'
    ? explain(client, await inlineValues(client, text, values), [])
    : planned;
}

async function explain(client: pg.Client, text: string, values: readonly unknown[]): Promise<Execution> {
  await client.query('begin');
  try {
    const { rows } = await client.query<{ readonly 'QUERY PLAN': unknown }>(
      `explain (format json, costs off) ${text}`,
      [...values],
    );
    return readPlan(rows[0]?.['QUERY PLAN']);
  } catch (error) {
    return { kind: 'refused', why: error instanceof Error ? error.message : String(error) };
  } finally {
    await client.query('rollback');
  }
}

async function inlineValues(client: pg.Client, text: string, values: readonly unknown[]): Promise<string> {
  const { rows } = await client.query<Record<string, string>>(
    `select ${values.map((_, at) => `quote_nullable($${at + 1}::text) as "$${at + 1}"`).join(', ')}`,
    values.map((value) => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value)),
  );
  return text.replaceAll(/\$\d+/g, (name) => rows[0]?.[name] ?? name);
}

/** A rule over values: what a plan of Citus says, as `explain (format json)` writes it. */
export function readPlan(plan: unknown): Execution {
  const counts = listTaskCounts(plan);
  if (counts.length > 0) return { kind: 'shards', count: Math.max(...counts) };
  return JSON.stringify(plan).includes('"Citus INSERT ... SELECT"')
    ? { kind: 'rows' }
    : { kind: 'coordinator' };
}

/** Of the statement and of its parts that Citus plans alone, but not of what a node makes of them. */
function listTaskCounts(value: unknown): readonly number[] {
  if (Array.isArray(value)) return value.flatMap(listTaskCounts);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    if (key === 'Task Count') return [Number(child)];
    return key === 'Tasks' ? [] : listTaskCounts(child);
  });
}
