import { describe, expect, test } from 'vitest';
import { sellPads } from './sell-pads.ts';

const HOUR = 60 * 60 * 1000;
const SHA256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

describe('a file behind a link', () => {
  test('is sent whole, with its length, hash and name', async () => {
    const sale = await sellPads();
    const answer = await sale.app.inject(`/d/${sale.token}/files/1.0/pads.zip`);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe('hello');
    expect(answer.headers).toMatchObject({
      'content-length': '5',
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="pads.zip"',
      etag: `"${SHA256}"`,
      'accept-ranges': 'bytes',
      'repr-digest': 'sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });

  test('that is gone from the store is a 500, and the log says what to restore', async () => {
    const sale = await sellPads(undefined, ({ files }) => ({ files: { ...files, open: async () => null } }));
    expect((await sale.app.inject(`/d/${sale.token}/files/1.0/pads.zip`)).statusCode).toBe(500);
    expect(JSON.stringify(sale.log.lines)).toContain(
      `The file “pads.zip” is on record, but its content ${SHA256} is not in the file store.`,
    );
  });

  test('restarts the 48 hours when it is fetched; HEAD sends the same headers and changes nothing', async () => {
    const sale = await sellPads();
    sale.clock.advance(47 * HOUR);
    await sale.app.inject(`/d/${sale.token}/files/1.0/pads.zip`);
    sale.clock.advance(47 * HOUR);
    const head = await sale.app.inject({ method: 'HEAD', url: `/d/${sale.token}/files/1.0/pads.zip` });
    expect(head.statusCode).toBe(200);
    expect(head.headers).toMatchObject({ 'content-length': '5', etag: `"${SHA256}"` });
    expect(head.body).toBe('');
    sale.clock.advance(2 * HOUR);
    expect((await sale.app.inject(`/d/${sale.token}/files/1.0/pads.zip`)).statusCode).toBe(410);
  });

  test('is found by a name with any kind of letters', async () => {
    for (const name of ['Übung 100 %.zip', '日本語.zip', "it's (1) & <b>.zip", 'a?b#c.zip', '%41.zip']) {
      const files = [{ name, size: 5, sha256: SHA256 }];
      const sale = await sellPads((page) => ({ ...page, version: { label: '1', files } }));
      const { body } = await sale.app.inject(`/d/${sale.token}`);
      const address = /href="(\/d\/[^"]+\/[^"]+)"/.exec(body)?.[1]?.replaceAll('&#39;', "'") ?? '';
      const answer = await sale.app.inject(address);
      expect(answer.statusCode, name).toBe(200);
      expect(answer.body).toBe('hello');
    }
  });

  test('has a page that says when to try again while the file store is away', async () => {
    const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'file-store-away' }));
    const sale = await sellPads(undefined, ({ files }) => ({ files: { ...files, open: away } }));
    const answer = await sale.app.inject(`/d/${sale.token}/files/1.0/pads.zip`);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '60']);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toContain('Try the download again in a minute.');
    expect(answer.body).not.toContain('database');
  });

  test('has a 404 page for another name, and 410 pages for an expired and a revoked link', async () => {
    const sale = await sellPads();
    const unknown = await sale.app.inject(`/d/${sale.token}/files/1.0/other.zip`);
    expect(unknown.statusCode).toBe(404);
    expect(unknown.headers['content-type']).toBe('text/html; charset=utf-8');
    sale.clock.advance(48 * HOUR);
    expect((await sale.app.inject(`/d/${sale.token}/files/1.0/pads.zip`)).statusCode).toBe(410);
    const revoked = await sellPads((page) => ({ ...page, revokedAt: new Date(0) }));
    expect((await revoked.app.inject(`/d/${revoked.token}/files/1.0/pads.zip`)).statusCode).toBe(410);
  });

  test('has a 500 page when the store fails before the first byte', async () => {
    const broken: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({ next: async () => Promise.reject(new Error('disk gone')) }),
    };
    const sale = await sellPads(undefined, ({ files }) => ({
      files: { ...files, open: async () => broken },
    }));
    const answer = await sale.app.inject(`/d/${sale.token}/files/1.0/pads.zip`);
    expect(answer.statusCode).toBe(500);
    expect(answer.headers['content-disposition']).toBeUndefined();
  });
});
