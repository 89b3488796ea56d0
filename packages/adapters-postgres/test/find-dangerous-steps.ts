import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { parse } from 'libpg-query';
import type { Migration, MigrationOf } from '../src/migrations/migration-kinds.ts';

/**
 * What a migration would do that makes servers wait, or fail, on tables that have rows. The statements of earlier
 * migrations say which columns are checked already.
 */
export async function findDangerousSteps(
  migration: Migration,
  earlier: readonly Migration[] = [],
): Promise<readonly string[]> {
  if (migration.kind !== 'tables') return [];
  const checked = new Set((await Promise.all(earlier.map(listNotNullChecks))).flat());
  const validated = new Set(
    earlier.flatMap((one) => (one.kind === 'validation' ? one.constraints.map(({ name }) => name) : [])),
  );
  const isNeverNull = (column: string) =>
    [...checked].some((check) => check.column === column && validated.has(check.name));
  const statements = await parseStatements(migration);
  const made = new Set(
    statements.flatMap(({ CreateStmt }) => toList(readNode(CreateStmt)?.relation)).map(nameOf),
  );
  return [
    ...(await findTogether(migration)),
    ...statements.flatMap((statement) => checkStatement(statement, { made, isNeverNull })),
  ];
}

/** What Citus refuses on a database that is distributed, and PostgreSQL does not. */
async function findTogether(migration: TableMigration): Promise<readonly string[]> {
  const parsed = await Promise.all((await listStatements(migration)).map((text) => parse(text)));
  return parsed.flatMap(({ stmts = [] }) => {
    const isBeside = stmts.some(({ stmt }) => {
      const types = toList(readNode(readNode(stmt)?.AlterTableStmt)?.cmds).map(
        ({ AlterTableCmd }) => readNode(AlterTableCmd)?.subtype,
      );
      return types.length > 1 && types.includes('AT_AddConstraint');
    });
    return [
      ...(stmts.length > 1 ? ['sends several statements at once: use executeEach'] : []),
      ...(isBeside ? ['adds a constraint beside other changes: make it a statement of its own'] : []),
    ];
  });
}

type TableMigration = MigrationOf<'tables'>;
type Node = Readonly<Record<string, unknown>>;

interface Scope {
  /** Tables that the migration creates: they have no rows, and nobody waits for them. */
  readonly made: ReadonlySet<string>;
  readonly isNeverNull: (column: string) => boolean;
}

/** Statements that read or change rows, lock the whole table for long, or cannot run in a transaction. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  UpdateStmt: 'changes rows: use a backfill',
  DeleteStmt: 'removes rows: do it in batches',
  RenameStmt: 'renames what running programs use',
  LockStmt: 'locks a table',
  TruncateStmt: 'empties a table',
  VacuumStmt: 'rewrites or reads a table',
  ClusterStmt: 'rewrites a table',
  ReindexStmt: 'rebuilds an index',
  CreateTableAsStmt: 'reads rows',
};

function checkStatement(statement: Node, scope: Scope): readonly string[] {
  const [[kind, value] = ['', null]] = Object.entries(statement);
  const node = readNode(value) ?? {};
  const table = nameOf(readNode(node.relation) ?? {});
  if (scope.made.has(table)) return [];
  if (kind === 'InsertStmt')
    return readNode(node.selectStmt)?.SelectStmt && hasFrom(node) ? ['reads rows'] : [];
  if (kind === 'IndexStmt') return [`${node.idxname} on ${table} is built under a lock: use kind indexes`];
  if (kind === 'AlterTableStmt') {
    return toList(node.cmds).flatMap(({ AlterTableCmd }) =>
      checkAlteration(table, readNode(AlterTableCmd) ?? {}, scope),
    );
  }
  const why = FORBIDDEN[kind];
  return why === undefined ? [] : [`${table || kind} ${why}`];
}

function hasFrom({ selectStmt }: Node): boolean {
  return toList(readNode(readNode(selectStmt)?.SelectStmt)?.fromClause).length > 0;
}

const FORBIDDEN_ALTERATIONS: Readonly<Record<string, string>> = {
  AT_AlterColumnType: 'changes a type, which rewrites the table',
  AT_SetLogged: 'rewrites the table',
  AT_SetUnLogged: 'rewrites the table',
  AT_SetTableSpace: 'rewrites the table',
  AT_SetAccessMethod: 'rewrites the table',
  AT_AttachPartition: 'reads the partition',
  AT_AddIndex: 'builds an index',
  AT_SetExpression: 'rewrites the table',
  AT_AddIdentity: 'rewrites the table',
  AT_ValidateConstraint: 'reads the table: use kind validation',
};

function checkAlteration(table: string, command: Node, { isNeverNull }: Scope): readonly string[] {
  const subtype = String(command.subtype);
  const column = `${table}.${String(command.name)}`;
  const forbidden = FORBIDDEN_ALTERATIONS[subtype];
  if (forbidden) return [`${table} ${forbidden}`];
  if (subtype === 'AT_SetNotNull' && !isNeverNull(column)) {
    return [`${column} is set not null without a validated check`];
  }
  const definition = readNode(command.def);
  if (subtype === 'AT_AddColumn') return checkColumn(table, readNode(definition?.ColumnDef) ?? {});
  if (subtype === 'AT_AddConstraint') return checkConstraint(table, readNode(definition?.Constraint) ?? {});
  return [];
}

function checkColumn(table: string, { colname, constraints }: Node): readonly string[] {
  const column = `${table}.${String(colname)}`;
  const found = toList(constraints).map(({ Constraint }) => readNode(Constraint) ?? {});
  const types = found.map(({ contype }) => String(contype));
  const value = found.find(({ contype }) => contype === 'CONSTR_DEFAULT')?.raw_expr;
  const forbidden = types.filter(
    (type) => !['CONSTR_DEFAULT', 'CONSTR_NOTNULL', 'CONSTR_NULL'].includes(type),
  );
  return [
    ...(value !== undefined && isVolatile(value)
      ? [`${column} has a volatile default, which rewrites the table`]
      : []),
    ...(types.includes('CONSTR_NOTNULL') && value === undefined
      ? [`${column} is not null without a default`]
      : []),
    ...forbidden.map((type) => `${column} has ${type}, which reads or rewrites the table`),
  ];
}

/** Any call but those of the transaction's time counts as volatile. */
function isVolatile(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isVolatile);
  const node = readNode(value);
  if (!node) return false;
  const call = readNode(node.FuncCall);
  if (call) {
    const name = toList(call.funcname)
      .map(({ String: text }) => readNode(text)?.sval)
      .at(-1);
    return !['now', 'transaction_timestamp', 'statement_timestamp'].includes(String(name));
  }
  return Object.values(node).some(isVolatile);
}

function checkConstraint(table: string, constraint: Node): readonly string[] {
  const { contype, skip_validation: isUnchecked, indexname, conname } = constraint;
  const name = `${table}.${String(conname ?? contype)}`;
  if (['CONSTR_UNIQUE', 'CONSTR_PRIMARY', 'CONSTR_EXCLUSION'].includes(String(contype))) {
    return indexname === undefined ? [`${name} builds an index: use kind indexes, then “using index”`] : [];
  }
  return isUnchecked === true
    ? []
    : [`${name} reads the table: add it as not valid, then use kind validation`];
}

async function listNotNullChecks(migration: Migration) {
  const statements = migration.kind === 'tables' ? await parseStatements(migration) : [];
  return statements.flatMap(({ AlterTableStmt }) => {
    const alter = readNode(AlterTableStmt) ?? {};
    const table = nameOf(readNode(alter.relation) ?? {});
    return toList(alter.cmds).flatMap(({ AlterTableCmd }) => {
      const constraint = readNode(readNode(readNode(AlterTableCmd)?.def)?.Constraint);
      const test = readNode(readNode(constraint?.raw_expr)?.NullTest);
      if (test?.nulltesttype !== 'IS_NOT_NULL') return [];
      const fields = toList(readNode(readNode(test.arg)?.ColumnRef)?.fields);
      const column = fields.map(({ String: text }) => readNode(text)?.sval).at(-1);
      return [{ column: `${table}.${String(column)}`, name: String(constraint?.conname) }];
    });
  });
}

async function parseStatements(migration: TableMigration): Promise<readonly Node[]> {
  const parsed = await Promise.all((await listStatements(migration)).map((text) => parse(text)));
  return parsed.flatMap(({ stmts = [] }) => stmts.map(({ stmt }): Node => readNode(stmt) ?? {}));
}

/** Runs it against no database, and records what it sends. */
async function listStatements(migration: TableMigration): Promise<readonly string[]> {
  const sent: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (inner) => new PostgresIntrospector(inner),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void sent.push(query.sql),
  });
  await migration.up(db);
  return sent;
}

function nameOf(relation: Node): string {
  return String(relation.relname ?? '');
}

function readNode(value: unknown): Node | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}

function toList(value: unknown): readonly Node[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map(readNode).filter((node) => node !== null);
}
