import { expect, it } from 'vitest';
import { openDatabase } from './support/open-database.ts';
import { type Environment, startServer } from './support/server-process.ts';
import { openOwnShop, shareServer } from './support/shared-server.ts';
import { sendOrder } from './support/shop.ts';

/** A web process that leaves the jobs to workers; there is none until a test starts one. */
const web = shareServer({ ROLE: 'web' });

/** A worker that looks for open work as soon as it starts. */
async function startWorker(settings: Environment = {}) {
  const { environment, server } = web();
  const database = await openDatabase(environment.DATABASE_URL);
  await database.query('update leases set due_at = now()');
  return startServer({ ...environment, ROLE: 'worker', SITE_URL: server.url, ...settings });
}

it('a body older than the setting is deleted, and a redelivery says so', async () => {
  const { environment, server, shop } = await openOwnShop(web());
  const { body } = await sendOrder(server.url, shop.orgId, '1', { skus: ['nobody-knows'] });
  const call = async (method: string, path: string): Promise<unknown> => {
    const headers = { 'x-api-key': shop.apiKey };
    return (await fetch(`${server.url}/api${path}`, { method, headers })).json();
  };
  const database = await openDatabase(environment.DATABASE_URL);
  await ageBody(database, shop.orgId);
  const worker = await startWorker({ BODY_RETENTION_DAYS: '30' });
  await worker.waitForLine(/"dropped":1.*weeks of bodies made or dropped/);
  expect(await call('POST', `/deliveries/${body.deliveryId}/redeliver`)).toEqual({
    error: expect.stringContaining('was removed, so it cannot be run again'),
  });
  expect(await call('GET', `/deliveries/${body.deliveryId}`)).toMatchObject({
    status: 'error',
    skus: [{ sku: 'nobody-knows' }],
  });
});

/** Makes it 40 days old, with a partition for its week. */
async function ageBody(database: Awaited<ReturnType<typeof openDatabase>>, orgId: string): Promise<void> {
  const idAt = (daysAgo: number, rest: string) => {
    const hex = (Date.now() - daysAgo * 24 * 60 * 60 * 1000).toString(16).padStart(12, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8)}-${rest}`;
  };
  const zeros = '0000-0000-000000000000';
  await database.query(
    `create table old_week partition of delivery_bodies
     for values from ('${idAt(41, zeros)}') to ('${idAt(39, zeros)}')`,
  );
  const id = idAt(40, '7000-8000-000000000001');
  await database.query('update deliveries set body_id = $2 where org_id = $1', [orgId, id]);
  await database.query(
    `update delivery_bodies set id = $2, received_at = now() - interval '40 days' where org_id = $1`,
    [orgId, id],
  );
}
