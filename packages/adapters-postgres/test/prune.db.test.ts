import type { Prunable } from '@handover/domain';
import { beforeAll, expect, it } from 'vitest';
import { clock, ids, opened, openShopAnew, sellOnce, shop } from './shop-of-the-test.ts';
import { watchStatements } from './watch-statements.ts';

openShopAnew(beforeAll);
beforeAll(fillTables);

/** So many rows that the planner prefers an index to a sequential scan. */
const ROWS = 20_000;

/** Many recent rows of each kind; `now()` is years after the time of the test. */
async function fillTables(): Promise<void> {
  const { pool } = opened.database;
  await sellOnce();
  const userId = ids.next();
  const numbers = `generate_series(1, ${ROWS}) number`;
  for (const statement of [
    `insert into users (id, email, email_normalized, created_at) values ('${userId}', 'a@x', 'a@x', now())`,
    `insert into deliveries (org_id, id, platform, connection_id, body_id, received_at, status)
     select '${shop.orgId}', gen_random_uuid(), 'storefront-a', '${shop.connection.id}', gen_random_uuid(), now(), 'success'
     from ${numbers}`,
    `insert into delivery_lines (org_id, delivery_id, position, sku, outcome)
     select org_id, id, 0, 'x', 'not-ours' from deliveries where order_id is null`,
    `insert into download_sessions (org_id, id, link_id, started_at, last_byte_at, product_id)
     select '${shop.orgId}', gen_random_uuid(), (select id from download_links), now(), now(), '${shop.product.id}'
     from ${numbers}`,
    `insert into download_session_files (org_id, session_id, version, name, size, sent)
     select org_id, id, '1', 'a', 1, '{}' from download_sessions`,
    `insert into activity (org_id, id, at, kind, subject_id, summary, via)
     select '${shop.orgId}', gen_random_uuid(), now(), 'sale', gen_random_uuid(), '', 'automatic' from ${numbers}`,
    `insert into idempotency_keys (org_id, key, fingerprint, purchase_id, created_at)
     select '${shop.orgId}', number, '', (select id from purchases), now() from ${numbers}`,
    `insert into used_proofs (org_id, connection_id, fingerprint, body_sha256, first_seen_at)
     select '${shop.orgId}', '${shop.connection.id}', lpad(number::text, 64, '0'), repeat('0', 64), now() from ${numbers}`,
    `insert into sign_ins (id, user_id, created_at, expires_at)
     select gen_random_uuid(), '${userId}', now(), now() from ${numbers}`,
    `insert into user_sessions (hash, user_id, created_at, expires_at)
     select number, '${userId}', now(), now() from ${numbers}`,
    `insert into mail_counts (org_id, hour, sent)
     select '${shop.orgId}', now() + number * interval '1 hour', 1 from ${numbers}`,
    `insert into throttles (key, tries, window_ends_at) select number::text::bytea, 1, now() from ${numbers}`,
    `insert into dismissals (org_id, subject, seen_at, seen_count, reason, dismissed_by, at)
     select '${shop.orgId}', 'order ' || number, now(), 1, '', '', now() from ${numbers}`,
    'vacuum analyze',
  ]) {
    await pool.query(statement);
  }
}

/** The query plans of the statements that prune rows of this kind. */
async function explainPruning(what: Prunable): Promise<string> {
  const { statements } = await watchStatements(opened, () =>
    opened.stores.maintenance.prune(what, clock.now(), 50),
  );
  const plans: string[] = [];
  for (const { text, values } of statements) {
    const { rows } = await opened.database.pool.query(`explain ${text}`, values);
    plans.push(...rows.map((row) => row['QUERY PLAN']));
  }
  return plans.join('\n');
}

const KINDS: Readonly<Record<Prunable, readonly string[]>> = {
  logEntries: ['deliveries', 'delivery_lines', 'dismissals'],
  downloads: ['download_sessions', 'download_session_files'],
  activity: ['activity'],
  idempotencyKeys: ['idempotency_keys'],
  proofs: ['used_proofs'],
  signIns: ['sign_ins', 'user_sessions'],
  mailCounts: ['mail_counts'],
  throttles: ['throttles'],
};

it.each(Object.entries(KINDS))('finds old rows (%s) by an index', async (what, tables) => {
  const plan = await explainPruning(what as Prunable);
  for (const table of tables) {
    expect(plan).toContain(`on ${table} `);
    expect(plan).not.toContain(`Seq Scan on ${table} `);
  }
});

it('skips a locked row, and deletes it in the next run', async () => {
  const { pool } = opened.database;
  const holder = await pool.connect();
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000);
  const prune = () => opened.stores.maintenance.prune('idempotencyKeys', tomorrow, 2 * ROWS);
  try {
    await holder.query('begin');
    await holder.query(`select from idempotency_keys where key = '7' for update`);
    expect(await prune()).toBe(ROWS - 1);
    await holder.query('commit');
  } finally {
    holder.release(true);
  }
  expect(await prune()).toBe(1);
});
