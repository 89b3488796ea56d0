import { describe, expect, it } from 'vitest';
import { type CitusFacts, explainHindrance } from '../src/distribution/citus.ts';
import { PLACEMENTS } from '../src/distribution/placements.ts';
import { type FoundTable, planDistribution } from '../src/distribution/plan-distribution.ts';

const NAMES = Object.keys(PLACEMENTS);
const plain = (name: string): FoundTable => ({ name, kind: 'plain', column: null });
/** As Citus reports it when it is where it should be. */
const placed = (name: string): FoundTable => {
  const kind = PLACEMENTS[name]?.kind ?? 'plain';
  return { name, kind, column: kind === 'distributed' ? 'org_id' : null };
};
const ofKind = (kind: string) => NAMES.filter((name) => PLACEMENTS[name]?.kind === kind);

describe('the plan of a distribution', () => {
  it('moves every table of a plain database to its place, and begins with the table of the others', () => {
    expect(planDistribution(NAMES.map(plain))).toEqual({
      toReference: ofKind('reference'),
      toDistribute: ofKind('distributed'),
      beside: null,
      done: [],
      local: ofKind('local'),
      unknown: [],
      problems: [],
    });
  });

  it('moves nothing that is in its place', () => {
    const plan = planDistribution(NAMES.map(placed));
    expect([plan.toReference, plan.toDistribute]).toEqual([[], []]);
    expect(plan.done).toEqual([...ofKind('reference'), ...ofKind('distributed')]);
  });

  it('puts the table of a later migration beside those that are distributed', () => {
    const plan = planDistribution(NAMES.map((name) => (name === 'dismissals' ? plain(name) : placed(name))));
    expect([plan.toDistribute, plan.beside, plan.toReference]).toEqual([['dismissals'], 'catalogues', []]);
  });

  it('moves a table that Citus made local, because it refers to a reference table', () => {
    const plan = planDistribution([{ name: 'alerts', kind: 'local', column: null }]);
    expect([plan.toDistribute, plan.problems]).toEqual([['alerts'], []]);
  });

  it('leaves tables of others as they are, and names them', () => {
    expect(planDistribution([plain('catalogues'), plain('ours')]).unknown).toEqual(['ours']);
  });

  it('names tables that somebody placed elsewhere', () => {
    const { problems } = planDistribution([
      { name: 'purchases', kind: 'distributed', column: 'id' },
      { name: 'customers', kind: 'reference', column: null },
      { name: 'users', kind: 'distributed', column: 'org_id' },
      { name: 'jobs', kind: 'distributed', column: 'org_id' },
    ]);
    expect(problems).toEqual([
      'customers is a reference table of Citus; it must be distributed.',
      'purchases is distributed by id; it must be by org_id.',
      'users is a distributed table of Citus; it must be reference.',
      'jobs is a distributed table of Citus; it must be local.',
    ]);
  });
});

describe('a database that cannot be distributed', () => {
  const facts: CitusFacts = {
    postgresVersion: 15,
    version: '13.2-1',
    isInstalled: true,
    isPreloaded: true,
    isCoordinatorKnown: true,
    workers: 2,
    withoutPrepared: [],
    servers: 0,
  };

  it('is none with Citus and a worker', () => {
    expect(explainHindrance(facts)).toBeNull();
  });

  it.each<[string, Partial<CitusFacts>, RegExp]>([
    [
      'is told what to install where Citus is not on the machine',
      { version: null, isInstalled: false, isPreloaded: false },
      /postgresql-15-citus.*shared_preload_libraries = 'citus'.*restart.*create extension citus/,
    ],
    [
      'is told to create the extension alone where the rest is there',
      { version: null },
      /On each node: run “create extension citus”/,
    ],
    ['is told to name the coordinator', { isCoordinatorKnown: false }, /citus_set_coordinator_host/],
    ['is told to add a worker', { workers: 0 }, /citus_add_node/],
    [
      'is told of nodes that cannot commit together with others',
      { withoutPrepared: ['10.0.0.2:5432'] },
      /max_prepared_transactions, which is 0 at 10\.0\.0\.2:5432/,
    ],
  ])('%s', (_, change, words) => {
    expect(explainHindrance({ ...facts, ...change })).toMatch(words);
  });
});
