import type { TestStores } from '@handover/adapters-postgres/testing';
import type { InMemoryStores, Memory } from '@handover/domain/memory';
import { findDifference } from './compare-values.ts';
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
 * An alert mail that follows another one has an id made by its store. An organisation has few that are not completed.
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
    if (twin && twin.id !== id && ids.alertMailOnPostgres(id) === id) ids.linkAlertMails(twin.id, id);
  }
}
