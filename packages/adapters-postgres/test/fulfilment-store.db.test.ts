import type { ShopCatalogue } from '@handover/domain/memory';
import { fulfilmentContract, jobsContract, receiptsContract } from '@handover/testkit';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createFulfilmentStore } from '../src/index.ts';
import { openTestStores, type TestStores } from '../src/testing/index.ts';

let opened: TestStores;
beforeAll(async () => {
  opened = await openTestStores(inject('postgres'));
});
afterAll(() => opened.close());

async function createStore() {
  await opened.clear();
  const { database, expireClaims } = opened;
  return { store: createFulfilmentStore(database), putShop, expireClaims, linkExpiresAt };
}

fulfilmentContract({ describe, it, expect }, createStore);
receiptsContract({ describe, it, expect }, createStore);
jobsContract({ describe, it, expect }, createStore);

it('leaves the jobs of other workers on the queue', async () => {
  const { store } = await createStore();
  const { pool } = opened.database;
  await pool.query(
    `insert into jobs (kind, subject, org_id, lane, attempts, due_at) values
       ('send-email', 'a sign-in', gen_random_uuid(), 'mails', 0, now() - interval '1 day'),
       ('release-entries', 'a release', gen_random_uuid(), 'reruns', 0, now() - interval '1 day')`,
  );
  expect(await store.takeJob(new Date(Date.now() + 60_000), new Date(Date.now() + 120_000))).toBe(null);
});

async function linkExpiresAt(orgId: string, linkId: string): Promise<Date | null> {
  const asked = [orgId, linkId];
  const { rows } = await opened.database.pool.query<{ expires_at: Date }>(
    'select expires_at from download_links where org_id = $1 and id = $2',
    asked,
  );
  return rows[0]?.expires_at ?? null;
}

/** As a program of one's own would fill the tables. Products that were sold stay. */
async function putShop({ products, mappings = [], connections = [], ...shop }: ShopCatalogue): Promise<void> {
  const { pool } = opened.database;
  await pool.query(
    `with shop as (
       insert into organisations (id, name, email, currency, subscription_expires_at, created_at)
       values ($1, $2, $3, $4, $5, now())
       on conflict (id) do update set name = excluded.name, currency = excluded.currency,
         subscription_expires_at = excluded.subscription_expires_at
     )
     insert into catalogues (org_id) values ($1)
     on conflict (org_id) do update set revision = catalogues.revision + 1`,
    [shop.id, shop.name, shop.email, shop.defaultCurrency, shop.subscriptionExpiresAt],
  );
  await pool.query('delete from sku_mappings where org_id = $1', [shop.id]);
  await pool.query(`update products set status = 'draft' where org_id = $1`, [shop.id]);
  for (const { id, name, slug, status, version } of products) {
    await pool.query(
      `insert into products (org_id, id, name, slug, status, created_at, updated_at)
       values ($1, $2, $3, $4, $5, now(), now()) on conflict (org_id, id) do update set status = excluded.status`,
      [shop.id, id, name, slug, status],
    );
    if (!version) continue;
    await pool.query(
      `insert into product_versions (org_id, id, product_id, version, status, created_at)
       values ($1, $2, $3, $4, 'ready', now()) on conflict do nothing`,
      [shop.id, version.id, id, version.label],
    );
    for (const file of version.files)
      await pool.query('insert into version_files values ($1, $2, $3, $4, $5) on conflict do nothing', [
        ...[shop.id, version.id],
        ...[file.name, file.size, file.sha256],
      ]);
    await pool.query('update products set active_version_id = $3 where org_id = $1 and id = $2', [
      ...[shop.id, id],
      version.id,
    ]);
  }
  for (const { sku, platform, productId } of mappings)
    await pool.query('insert into sku_mappings values ($1, $2, $3, $4)', [
      ...[shop.id, sku],
      ...[platform ?? '', productId],
    ]);
  for (const id of connections)
    await pool.query(
      `insert into connections (org_id, id, platform, name, created_at) values ($1, $2, 'our-shop', $3, now())
       on conflict do nothing`,
      [shop.id, id, id],
    );
}
