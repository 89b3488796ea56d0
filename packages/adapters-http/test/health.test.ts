import { describe, expect, test } from 'vitest';
import { openTestShop } from './open-test-shop.ts';

describe('health', () => {
  test('/healthz checks the process only', async () => {
    const { app } = await openTestShop(() => ({ database: { answers: async () => false } }), {
      isDraining: () => true,
    });
    const answer = await app.inject('/healthz');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ status: 'ok' });
  });

  test('/readyz answers 200 while the database responds', async () => {
    const { app } = await openTestShop();
    expect((await app.inject('/readyz')).statusCode).toBe(200);
  });

  test.each([
    ['says no', async () => false],
    ['fails', async () => Promise.reject(new Error('refused'))],
    ['hangs', () => new Promise<boolean>(() => undefined)],
  ])('/readyz answers 503 when the database %s', async (_name, answers) => {
    const { app } = await openTestShop(() => ({ database: { answers } }));
    expect((await app.inject('/readyz')).statusCode).toBe(503);
  });

  test('/readyz names database, files and mail, and stays 200 without the last two', async () => {
    const away = () => Promise.reject(new Error('refused'));
    const { app } = await openTestShop(() => ({ checkFiles: away, checkMail: async () => undefined }));
    const answer = await app.inject('/readyz');
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { status: 'ready', database: 'ok', files: 'away', mail: 'ok' },
    ]);
    const other = await openTestShop(() => ({ database: { answers: async () => false }, checkMail: away }));
    const refused = await other.app.inject('/readyz');
    expect([refused.statusCode, refused.json()]).toEqual([
      503,
      { status: 'database-away', database: 'away', files: 'unknown', mail: 'away' },
    ]);
  });

  test('/readyz answers 503 while webhooks wait and none gets a connection', async () => {
    let isExhausted = true;
    const database = { answers: async () => true, isExhausted: () => isExhausted };
    const { app } = await openTestShop(() => ({ database }));
    const answer = await app.inject('/readyz');
    expect([answer.statusCode, answer.json()]).toMatchObject([503, { status: 'overloaded' }]);
    isExhausted = false;
    expect((await app.inject('/readyz')).statusCode).toBe(200);
  });

  test('/readyz answers 503 while draining, and every response closes its connection', async () => {
    let draining = false;
    const { app } = await openTestShop(undefined, { isDraining: () => draining });
    const urls = ['/readyz', '/healthz', '/nope', '/api/products', '/webhooks/x/storefront-a', '/d/x'];
    for (const url of urls) expect((await app.inject(url)).headers.connection, url).not.toBe('close');
    draining = true;
    for (const url of urls) expect((await app.inject(url)).headers.connection, url).toBe('close');
    expect((await app.inject('/readyz')).statusCode).toBe(503);
  });
});
