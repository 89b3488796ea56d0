import { parse } from 'libpg-query';

/**
 * The tables among `tenants` that a statement reads or changes without comparing the `org_id` of each itself with a value. That
 * it equals another table's is not enough: a database that is distributed by organisation asks all its shards then, or refuses.
 */
export async function findUnboundTables(
  statement: string,
  tenants: ReadonlySet<string>,
): Promise<readonly string[]> {
  return visit(await parse(statement), { tenants, named: new Set() });
}

interface Scope {
  readonly tenants: ReadonlySet<string>;
  /** The names that `with` declares. */
  readonly named: ReadonlySet<string>;
}

type Node = Readonly<Record<string, unknown>>;

/** What PostgreSQL calls the statements that have tables and conditions of their own. */
const SCOPES = new Set(['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'larg', 'rarg']);

function visit(value: unknown, scope: Scope): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => visit(item, scope));
  if (!isNode(value)) return [];
  const inner = { ...scope, named: new Set([...scope.named, ...listNamed(value)]) };
  return Object.entries(value).flatMap(([key, child]) => [
    ...(isNode(child) && SCOPES.has(key) ? checkScope(child, inner) : []),
    ...(isNode(child) && key === 'InsertStmt' ? checkInsert(child, inner) : []),
    ...visit(child, inner),
  ]);
}

function listNamed({ withClause }: Node): readonly string[] {
  const tables = isNode(withClause) && Array.isArray(withClause.ctes) ? withClause.ctes : [];
  return tables.map(({ CommonTableExpr }) => CommonTableExpr.ctename);
}

function checkScope(statement: Node, { tenants, named }: Scope): readonly string[] {
  const from = [statement.fromClause, statement.usingClause].flatMap(toList);
  const tables = [...from.flatMap(listTables), ...toList(statement.relation).map(readTable)];
  const own = new Set([...named, ...listNamed(statement)]);
  const conditions = [statement.whereClause, ...from.flatMap(listJoinConditions)].flatMap(splitAnd);
  const bound = new Set(conditions.flatMap(readBound));
  return tables
    .filter(
      ({ table, alias }) => tenants.has(table) && !own.has(table) && !bound.has(alias) && !bound.has(''),
    )
    .map(({ table, alias }) => (alias === table ? table : `${table} ${alias}`));
}

function checkInsert({ relation, cols }: Node, { tenants }: Scope): readonly string[] {
  const columns = toList(cols).map((column) => isNode(column.ResTarget) && column.ResTarget.name);
  return toList(relation)
    .map(readTable)
    .filter(({ table }) => tenants.has(table) && !columns.includes('org_id'))
    .map(({ table }) => table);
}

interface Table {
  readonly table: string;
  readonly alias: string;
}

function listTables(node: Node): readonly Table[] {
  if (isNode(node.RangeVar)) return [readTable(node.RangeVar)];
  const { JoinExpr: join } = node;
  return isNode(join) ? [join.larg, join.rarg].flatMap(toList).flatMap(listTables) : [];
}

function readTable({ relname, alias }: Node): Table {
  const table = String(relname);
  return { table, alias: isNode(alias) ? String(alias.aliasname) : table };
}

function listJoinConditions({ JoinExpr: join }: Node): readonly unknown[] {
  if (!isNode(join)) return [];
  return [join.quals, ...[join.larg, join.rarg].flatMap(toList).flatMap(listJoinConditions)];
}

function splitAnd(condition: unknown): readonly Node[] {
  if (!isNode(condition)) return [];
  const { BoolExpr: all } = condition;
  return isNode(all) && all.boolop === 'AND_EXPR' ? toList(all.args).flatMap(splitAnd) : [condition];
}

/** The table whose organisation the condition says; '' where it names none, for then there is one that has any. */
function readBound({ A_Expr: comparison }: Node): readonly string[] {
  if (!isNode(comparison) || JSON.stringify(comparison.name) !== EQUALS) return [];
  const { lexpr, rexpr } = comparison;
  const column = isValue(rexpr) ? lexpr : isValue(lexpr) ? rexpr : null;
  if (!isNode(column) || !isNode(column.ColumnRef)) return [];
  const names = toList(column.ColumnRef.fields).map(({ String: name }) => isNode(name) && String(name.sval));
  return names.at(-1) === 'org_id' ? [names.length > 1 ? String(names[0]) : ''] : [];
}

const EQUALS = JSON.stringify([{ String: { sval: '=' } }]);

function isValue(node: unknown): boolean {
  if (!isNode(node)) return false;
  return 'ParamRef' in node || 'A_Const' in node || (isNode(node.TypeCast) && isValue(node.TypeCast.arg));
}

function toList(value: unknown): readonly Node[] {
  return (Array.isArray(value) ? value : [value]).filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
