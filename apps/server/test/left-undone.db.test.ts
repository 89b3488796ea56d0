import { expect, it } from 'vitest';
import { openDatabase } from './support/open-database.ts';
import { type Environment, startServer } from './support/server-process.ts';
import { openOwnShop, shareServer } from './support/shared-server.ts';
import { sendOrder } from './support/shop.ts';

/** It serves and leaves the jobs to workers, of which there is none until a test starts one. */
const web = shareServer({ ROLE: 'web' });

/** A worker that looks for what was left undone as soon as it is there. */
async function startWorker(settings: Environment = {}) {
  const { environment, server } = web();
  const database = await openDatabase(environment.DATABASE_URL);
  await database.query('update turns set due_at = now()');
  return startServer({ ...environment, ROLE: 'worker', SITE_URL: server.url, ...settings });
}

it('a body that is older than the setting is gone, and delivering it again says so', async () => {
  const { environment, server, shop } = await openOwnShop(web());
  const { body } = await sendOrder(server.url, shop.orgId, '1', { skus: ['nobody-knows'] });
  const call = async (method: string, path: string): Promise<unknown> => {
    const headers = { 'x-api-key': shop.apiKey };
    return (await fetch(`${server.url}/api${path}`, { method, headers })).json();
  };
  const database = await openDatabase(environment.DATABASE_URL);
  const age = `update delivery_bodies set received_at = now() - interval '31 days' where org_id = $1`;
  await database.query(age, [shop.orgId]);
  const worker = await startWorker({ BODY_RETENTION_DAYS: '30' });
  await worker.waitForLine(/old bodies removed/);
  expect(await call('POST', `/deliveries/${body.deliveryId}/redeliver`)).toEqual({
    error: expect.stringContaining('was removed because of its age'),
  });
  expect(await call('GET', `/deliveries/${body.deliveryId}`)).toMatchObject({
    status: 'error',
    skus: [{ sku: 'nobody-knows' }],
  });
});
