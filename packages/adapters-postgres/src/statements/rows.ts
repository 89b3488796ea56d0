import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/schema.ts';

/**
 * Rows as a table of a statement: `unnestRows(orders).as('sold (order_id text, sold_at timestamptz)')` takes these columns from
 * the members `orderId` and `soldAt` of each row. One array for each column, because an order of many thousand lines would exceed
 * the number of parameters that a statement may have.
 */
export function unnestRows<Row>(rows: readonly Row[]) {
  return {
    as: <Table extends string>(table: Table & (MemberOf<Table> extends keyof Row ? unknown : never)) => {
      const { fragments, members } = readTable(table);
      return sql(fragments, ...members.map((member) => rows.map((row) => row[member as keyof Row])));
    },
  };
}

type MemberOf<Table extends string> = Table extends `${string}(${infer Columns})` ? NameOf<Columns> : string;

type NameOf<Columns extends string> = Columns extends `${infer First},${infer Rest}`
  ? NameOf<First> | NameOf<Rest>
  : Columns extends `${' ' | '\n'}${infer Column}`
    ? NameOf<Column>
    : Columns extends `${infer Name} ${string}`
      ? CamelCase<Name>
      : never;

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

interface UnnestedTable {
  /** The text of the statement around its parameters. */
  readonly fragments: TemplateStringsArray;
  readonly members: readonly string[];
}

/** Kept by their names: each batch of orders needs several. */
const known = new Map<string, UnnestedTable>();

function readTable(text: string): UnnestedTable {
  const table = known.get(text) ?? parseTable(text);
  known.set(text, table);
  return table;
}

function parseTable(text: string): UnnestedTable {
  const [table = '', columns = ''] = text.split('(');
  const pairs = columns
    .replace(')', '')
    .split(',')
    .flatMap((column) => {
      const [name = '', type] = column.trim().split(' ');
      return type ? { name, type } : [];
    });
  const names = pairs.map(({ name }) => name);
  const types = pairs.map(({ type }) => `::${type}[]`).join(', |');
  const fragments = ['unnest(', ...`${types}) as ${table}(${names.join(', ')})`.split('|')];
  return {
    fragments: Object.assign(fragments, { raw: fragments }),
    members: names.map((name) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())),
  };
}

/** The row of a statement that always returns one. */
export async function readRow<Row>(db: Db, statement: RawBuilder<Row>): Promise<Row> {
  const [row] = (await statement.execute(db)).rows;
  if (!row) throw new Error('A statement that always returns a row returned none.');
  return row;
}

export async function countRows(db: Db, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::integer as count from (${query}) counted
  `.execute(db);
  return rows[0]?.count ?? 0;
}
