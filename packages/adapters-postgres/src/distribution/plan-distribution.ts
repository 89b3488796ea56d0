import { DISTRIBUTION_COLUMN, PLACEMENTS, type Placement } from './placements.ts';

/** A table as Citus knows it. */
export interface FoundTable {
  readonly name: string;
  /** `plain`: Citus does not know it. */
  readonly kind: Placement['kind'] | 'plain';
  /** The distribution column; null for tables that are not distributed. */
  readonly column: string | null;
}

/** Which tables are still to be placed, and which are already. */
export interface DistributionPlan {
  readonly toReference: readonly string[];
  /** All of them are colocated with `beside`; null: with the first of them. */
  readonly toDistribute: readonly string[];
  readonly beside: string | null;
  readonly done: readonly string[];
  readonly local: readonly string[];
  /** Tables that Handover did not make. They stay as they are. */
  readonly unknown: readonly string[];
  /** Why nothing can be done: tables that somebody placed elsewhere. */
  readonly problems: readonly string[];
}

/** What has to be done so that these tables are placed as {@link PLACEMENTS} says. */
export function planDistribution(tables: readonly FoundTable[]): DistributionPlan {
  const found = new Map(tables.map((table) => [table.name, table]));
  const names = Object.keys(PLACEMENTS).filter((name) => found.has(name));
  const isPlain = (name: string) => ['plain', 'local'].includes(found.get(name)?.kind ?? '');
  const of = (kind: Placement['kind']) => names.filter((name) => PLACEMENTS[name]?.kind === kind);
  return {
    toReference: of('reference').filter(isPlain),
    toDistribute: of('distributed').filter(isPlain),
    beside: of('distributed').find((name) => !isPlain(name)) ?? null,
    done: [...of('reference'), ...of('distributed')].filter((name) => !isPlain(name)),
    local: of('local'),
    unknown: tables.map(({ name }) => name).filter((name) => !(name in PLACEMENTS)),
    problems: names.flatMap((name) => findProblem(found.get(name), PLACEMENTS[name])),
  };
}

function findProblem(table: FoundTable | undefined, placement: Placement | undefined): readonly string[] {
  if (!table || !placement || table.kind === 'plain' || table.kind === 'local') return [];
  if (table.kind !== placement.kind) {
    return [`${table.name} is a ${table.kind} table of Citus; it must be ${placement.kind}.`];
  }
  if (placement.kind === 'distributed' && table.column !== DISTRIBUTION_COLUMN) {
    return [`${table.name} is distributed by ${table.column}; it must be by ${DISTRIBUTION_COLUMN}.`];
  }
  return [];
}
