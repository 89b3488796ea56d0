import { storesContract } from '@handover/testkit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { PLACEMENTS } from '../src/distribution/placements.ts';
import { SWEEPS } from '../src/distribution/sweeps.ts';
import { openTestStores, type TestStores } from '../src/testing/index.ts';
import { findUnboundTables } from './find-unbound-tables.ts';

let opened: TestStores;
/** Of the stores. */
const statements = new Set<string>();

beforeAll(async () => {
  opened = await openTestStores(inject('postgres'));
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...values: unknown[]) {
    const [first] = values;
    const text = typeof first === 'object' && first !== null && 'text' in first ? first.text : first;
    // Only the stores send values: the test's own statements are plain text.
    if (typeof text === 'string' && text.includes('$1')) statements.add(text);
    return Reflect.apply(query, this, values);
  });
});

afterAll(async () => {
  vi.restoreAllMocks();
  await opened.close();
});

describe('the PostgreSQL stores', () => {
  storesContract({ describe, it, expect }, async () => {
    await opened.clear();
    return opened;
  });

  it('say the organisation of each table in every statement', async () => {
    expect(statements.size).toBeGreaterThan(200);
    const tenants = await listTenantTables();
    const unbound = new Map<string, readonly string[]>();
    for (const statement of statements) {
      const tables = await findUnboundTables(statement, tenants);
      if (tables.length > 0) unbound.set(statement, [...new Set(tables)]);
    }
    const unexpected = [...unbound].filter(([text]) => !SWEEPS.some(({ names }) => text.includes(names)));
    expect(unexpected.map(([text, tables]) => `${tables.join(', ')}: ${text}`)).toEqual([]);
    const used = SWEEPS.filter(({ names }) => [...unbound.keys()].some((text) => text.includes(names)));
    expect(used).toEqual(SWEEPS);
  });

  // Citus takes a shared lock of the whole table for it, then a stronger one: two at once wait for each other.
  it('share no lock of a table that is on every node of a distributed database', () => {
    const shared = [...statements].filter((text) => /\bfor (key )?share\b/i.test(text));
    expect(shared.length).toBeGreaterThan(0);
    const everywhere = Object.keys(PLACEMENTS).filter((name) => PLACEMENTS[name]?.kind === 'reference');
    const names = new RegExp(`\\b(${everywhere.join('|')})\\b`);
    expect(shared.filter((text) => names.test(text))).toEqual([]);
  });
});

/** All that have an organisation, but for those that are global: see ARCHITECTURE.md. */
async function listTenantTables(): Promise<ReadonlySet<string>> {
  const { rows } = await opened.database.pool.query<{ name: string }>(`
    select relname as name from pg_attribute join pg_class on pg_class.oid = attrelid
    where attname = 'org_id' and relkind in ('r', 'p') and not relispartition
      and relname not in ('users', 'payment_accounts')`);
  return new Set(rows.map(({ name }) => name));
}
