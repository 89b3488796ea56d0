import { expect, test } from 'vitest';
import { receiptsAmong } from '../../apps/server/test/support/mail-server.ts';
import { serveS3 } from '../../packages/adapters-files/test/serve-s3.ts';
import { findFreePort } from '../../packages/embedded-postgres/src/start-postmaster.ts';
import { undoLater } from '../../test/undo.ts';
import { startCluster } from './cluster.ts';
import { install, readReadiness, sendOrders } from './installation.ts';

const ORDERS = 20;

test('while S3 is away orders and pages go on, downloads say when to try again, and /readyz names the files', async () => {
  const cluster = await startCluster({});
  const port = await findFreePort();
  const bucket = { port, bucket: 'handover' };
  const s3 = await serveS3(bucket);
  const installation = await install(cluster.url, {
    FILES_URL: `s3://handover?endpoint=http://127.0.0.1:${port}&region=us-east-1`,
    AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
  });
  const { web, shop, mailServer } = installation;
  await expect
    .poll(() => readReadiness(web.url))
    .toEqual({
      status: 200,
      body: { status: 'ready', database: 'ok', files: 'ok', mail: 'ok' },
    });

  await s3.pause();
  const { refusals } = await sendOrders(installation, { count: ORDERS, everyMs: 20 });
  expect(refusals).toEqual([]);
  const receipts = receiptsAmong(await mailServer.waitForMails(ORDERS));
  expect(receipts).toHaveLength(ORDERS);
  const [link = ''] = /http:\S+\/d\/\S+/.exec(receipts[0]?.text ?? '') ?? [];
  const page = await fetch(link);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('felt-piano.zip')]);
  for (const path of ['/api/purchases', '/api/deliveries', '/api/products']) {
    const { status } = await fetch(`${web.url}${path}`, { headers: { 'x-api-key': shop.apiKey } });
    expect([path, status]).toEqual([path, 200]);
  }

  const file = `${link}/files/1.0/felt-piano.zip`;
  const began = performance.now();
  const refusedFile = await fetch(file);
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(refusedFile.status).toBe(503);
  expect(refusedFile.headers.get('retry-after')).toBe('60');
  expect(refusedFile.headers.get('content-type')).toContain('text/html');
  expect(await refusedFile.text()).toContain('Try the download again in a minute.');
  await expect
    .poll(() => readReadiness(web.url))
    .toEqual({
      status: 200,
      body: { status: 'ready', database: 'ok', files: 'away', mail: 'ok' },
    });

  await s3.resume();
  undoLater(s3.stop);
  const fetched = await fetch(file);
  expect([fetched.status, Buffer.from(await fetched.arrayBuffer()).equals(shop.file)]).toEqual([200, true]);
  await expect.poll(() => readReadiness(web.url)).toMatchObject({ body: { files: 'ok' } });
});
