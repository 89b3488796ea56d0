import type { TestStores } from '@handover/adapters-postgres/testing';
import type { InMemoryStores, Memory } from '@handover/domain/memory';
import { describeJobs, observe } from './observe.ts';
import { listTableRows, readTableRows } from './table-rows.ts';
import type { TwinIds } from './twin-ids.ts';

/** How PostgreSQL and the memory differ in what ports, pages and later calls see; null if they are equal. */
export async function compareStates(
  {
    postgres,
    inMemory,
    memory,
    ids,
  }: {
    readonly postgres: TestStores;
    readonly inMemory: InMemoryStores;
    readonly memory: Memory;
    readonly ids: TwinIds;
  },
  view: { readonly orgIds: readonly string[]; readonly now: Date; readonly pages: boolean },
): Promise<string | null> {
  await pairAlertMails(postgres, memory, ids);
  const [rows, jobs, seen, expected] = await Promise.all([
    readTableRows(postgres.database.pool, view.now),
    postgres.queuedJobs(),
    view.pages ? observe(postgres.stores, view) : null,
    view.pages ? observe(inMemory, view) : null,
  ]);
  return findDifference(
    { rows, jobs: describeJobs(jobs, ids.alertMailInMemory), ...seen },
    { rows: listTableRows(memory, view.now), jobs: describeJobs([...memory.jobs.values()]), ...expected },
    ids.accept,
  );
}

/**
 * An alert mail that follows another one has an id made by its store. An organisation has few that are not completed. One whose
 * alerts were all dropped is deleted, and in memory the next one may have its id again.
 */
export async function pairAlertMails(postgres: TestStores, memory: Memory, ids: TwinIds): Promise<void> {
  const { rows } = await postgres.database.pool.query<{ readonly id: string; readonly name: string }>(
    `select id, concat_ws(' ', org_id, subject, floor(extract(epoch from next_try_at) * 1000)::bigint) as name
     from outgoing_emails where kind = 'alert' and status = 'pending' order by id`,
  );
  const others = [...memory.emails.values()]
    .filter(({ kind, status }) => kind === 'alert' && status === 'pending')
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id, orgId, subject, nextTryAt } of others) {
    const name = [orgId, subject, nextTryAt.getTime()].filter((part) => part !== null).join(' ');
    const twin = rows.find((row) => row.name === name && ids.alertMailInMemory(row.id) === row.id);
    const paired = ids.alertMailOnPostgres(id);
    const isPaired = paired !== id && rows.some((row) => row.id === paired);
    if (twin && twin.id !== id && !isPaired) ids.linkAlertMails(twin.id, id);
  }
}

/**
 * Describes the first difference of two values; null if they are equal. Dates, bytes and maps are compared by
 * content. `accept` may treat two different values as equal.
 */
export function findDifference(
  postgres: unknown,
  memory: unknown,
  accept: (path: string, postgres: unknown, memory: unknown) => boolean = () => false,
  path = '',
): string | null {
  const [left, right] = [simplify(postgres), simplify(memory)];
  if (isTree(left) && isTree(right)) {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      const found = findDifference(left[key], right[key], accept, `${path}.${key}`);
      if (found !== null) return found;
    }
    return null;
  }
  if (Object.is(left, right) || accept(path, left, right)) return null;
  return `${path || 'the value'} is ${print(postgres)} on PostgreSQL, and ${print(memory)} in memory`;
}

type Tree = Readonly<Record<string, unknown>>;

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null;
}

function simplify(value: unknown): unknown {
  if (value instanceof Date) return `Date ${value.toISOString()}`;
  if (value instanceof Uint8Array) return `Bytes ${Buffer.from(value).toString('hex')}`;
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value].sort();
  return value;
}

function print(value: unknown): string {
  return value === undefined
    ? 'absent'
    : JSON.stringify(value, (_key, inner) => simplify(inner)).slice(0, 300);
}
