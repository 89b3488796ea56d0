import { NO_ORGANISATION } from '@handover/domain';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { requeueMissing, requeueOrphans } from '../src/distribution/requeue-orphans.ts';
import { openTestStores, type TestStores } from '../src/testing/index.ts';

let opened: TestStores;
beforeAll(async () => {
  opened = await openTestStores(inject('postgres'));
});
afterAll(() => opened.close());

const ORG = '01900000-0000-7000-8000-000000000001';
const id = (n: number) => `01900000-0000-7000-8000-0000000000${n + 10}`;
const NOW = new Date('2026-03-01T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString();

/** Everything that has a job while it is due, and nothing of it has one. */
async function writeOrphans(minutes: number): Promise<void> {
  await opened.clear();
  const at = `'${minutesAgo(minutes)}'`;
  await opened.database.pool.query(`
    insert into organisations (id, name, email, created_at) values ('${ORG}', 'Halo', 'halo@example.com', ${at});
    insert into connections (org_id, id, platform, name, created_at)
      values ('${ORG}', '${id(1)}', 'storefront-a', 'default', ${at});
    insert into deliveries (org_id, id, platform, connection_id, body_id, received_at, status)
      values ('${ORG}', '${id(2)}', 'storefront-a', '${id(1)}', '${id(3)}', ${at}, 'pending');
    insert into customers (org_id, id, email, email_normalized, name, created_at)
      values ('${ORG}', '${id(4)}', 'a@example.com', 'a@example.com', 'A', ${at});
    insert into invitations (org_id, id, email, email_normalized, role, invited_by, created_at, expires_at)
      values ('${ORG}', '${id(5)}', 'b@example.com', 'b@example.com', 'member', '${id(6)}', ${at}, ${at});
    insert into outgoing_emails
      (org_id, id, kind, customer_id, invitation_id, subject, pending_since, next_try_at, created_at)
      values
        ('${ORG}', '${id(7)}', 'receipt', '${id(4)}', null, null, ${at}, ${at}, ${at}),
        ('${ORG}', '${id(5)}', 'invitation', null, '${id(5)}', null, ${at}, ${at}, ${at}),
        ('${ORG}', '${id(8)}', 'links', null, null, 'a@example.com', ${at}, ${at}, ${at}),
        ('${ORG}', '${id(9)}', 'alert', null, null, null, ${at}, ${at}, ${at}),
        ('${NO_ORGANISATION}', '${id(10)}', 'new-device', null, null, null, ${at}, ${at}, ${at});
    insert into releases (org_id, release) values ('${ORG}', 'subscription');
  `);
}

const requeue = () => requeueMissing(opened.database.db, opened.queue, NOW);
const listQueued = async () =>
  (await opened.queuedJobs())
    .map((job) => `${job.kind} ${'deliveryId' in job ? job.deliveryId : 'emailId' in job ? job.emailId : ''}`)
    .toSorted();

it('queues deliveries, mails and releases that have waited without a job, once', async () => {
  await writeOrphans(11);
  expect(await requeue()).toBe(7);
  const all = [
    `fulfil-delivery ${id(2)}`,
    'release-entries ',
    ...[id(5), id(7), id(8), id(9), id(10)].map((email) => `send-email ${email}`),
  ].toSorted();
  expect(await listQueued()).toEqual(all);
  expect(await requeue()).toBe(0);
  expect(await listQueued()).toEqual(all);
});

it('leaves what may still be on its way to the queue', async () => {
  await writeOrphans(9);
  // A release has no time of its own: a second job for it changes nothing.
  expect(await requeue()).toBe(1);
  expect(await listQueued()).toEqual(['release-entries ']);
});

it('finds an orphan of each kind behind pages of what has its job, and one on the last page', async () => {
  await opened.clear();
  const at = minutesAgo(11);
  const many = 23;
  await opened.database.pool.query(
    `with organisation as (
       insert into organisations (id, name, email, created_at)
       select ('01900000-0000-7000-8000-' || lpad(org::text, 12, '0'))::uuid, 'Halo', 'halo@example.com', '${at}'
       from generate_series(1, 3) org returning id
     ), connection as (
       insert into connections (org_id, id, platform, name, created_at)
       select id, id, 'storefront-a', 'default', '${at}' from organisation
     ), row as (
       select organisation.id as org_id, ('01900000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid as id, n
       from organisation, generate_series(1, ${many}) n
     ), delivery as (
       insert into deliveries (org_id, id, platform, connection_id, body_id, received_at, status)
       select org_id, id, 'storefront-a', org_id, id, '${at}', 'pending' from row
     ), email as (
       insert into outgoing_emails (org_id, id, kind, subject, pending_since, next_try_at, created_at)
       select org_id, id, 'links', n || '@example.com', '${at}', '${at}', '${at}' from row
     ), release as (
       insert into releases (org_id, release) select id, 'subscription' from organisation
     )
     insert into bulk_actions (org_id, id, action, total, place_at, place_id, seen, done, before, revoked, via, asked_at)
     select org_id, id, 'revoke', 1, '${at}', id, 0, 0, 0, 0, 'dashboard', '${at}' from row`,
  );
  expect(await requeueMissing(opened.database.db, opened.queue, NOW, 5)).toBe(3 * (3 * many + 1));
  expect(await requeueMissing(opened.database.db, opened.queue, NOW, 5)).toBe(0);
  // In no order that a statement without one would give: the last of each organisation, and one in between.
  const { rowCount } = await opened.database.pool.query(
    `delete from jobs where subject like any (array['%0${many}', '%012']) or org_id::text like '%3' and kind = 'release-entries'`,
  );
  expect(rowCount).toBe(3 * 3 * 2 + 1);
  expect(await requeueMissing(opened.database.db, opened.queue, NOW, 5)).toBe(rowCount);
  expect(await opened.queuedJobs()).toHaveLength(3 * (3 * many + 1));
});

it('does not look on a database of one node', async () => {
  await writeOrphans(11);
  expect(await requeueOrphans(opened.database.db, opened.queue, NOW)).toBe(0);
  expect(await listQueued()).toEqual([]);
});
