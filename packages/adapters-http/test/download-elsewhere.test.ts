import { describe, expect, test } from 'vitest';
import { sellPads } from './sell-pads.ts';

const ADDRESS = 'https://s3.example.com/felt?X-Amz-Signature=hunter2';

async function sellElsewhere(isStored = true) {
  const asked: unknown[] = [];
  const sale = await sellPads(undefined, ({ files }) => ({
    files: {
      ...files,
      presign: async (...presigned) => {
        asked.push(presigned);
        return isStored ? ADDRESS : null;
      },
    },
  }));
  const latest = () =>
    sale.stores.sessions.latest(sale.shop.orgId, sale.ports.tokens.open(sale.token)?.linkId ?? '');
  return { ...sale, asked, latest, path: `/d/${sale.token}/files/1.0/pads.zip` };
}

describe('a store with presigned URLs', () => {
  test('gets the buyer redirected, with the file’s name and for a limited time', async () => {
    const sale = await sellElsewhere();
    const answer = await sale.app.inject({ url: sale.path, headers: { range: 'bytes=1-2' } });
    expect([answer.statusCode, answer.headers.location, answer.body]).toEqual([302, ADDRESS, '']);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const terms = { seconds: 21_600, disposition: expect.stringContaining('pads.zip') };
    expect(sale.asked).toEqual([[sale.shop.orgId, expect.stringMatching(/^[0-9a-f]{64}$/), terms]]);
    expect(JSON.stringify(sale.log.requests())).not.toContain('hunter2');
  });

  test('starts the download session, which only download-complete ends', async () => {
    const sale = await sellElsewhere();
    expect(await sale.latest()).toBeNull();
    await sale.app.inject(sale.path);
    expect(await sale.latest()).toMatchObject({ completedAt: null });
    const complete = { method: 'POST', url: `/webhooks/${sale.shop.orgId}/download-complete` } as const;
    const answer = await sale.app.inject({ ...complete, payload: { token: sale.token } });
    expect(answer.statusCode).toBe(200);
    expect(await sale.latest()).toMatchObject({ completedAt: expect.any(Date) });
  });

  test('is not asked for HEAD, nor for responses without bytes', async () => {
    const sale = await sellElsewhere();
    expect((await sale.app.inject({ method: 'HEAD', url: sale.path })).statusCode).toBe(200);
    const unchanged = await sale.app.inject({ url: sale.path, headers: { 'if-none-match': '*' } });
    expect(unchanged.statusCode).toBe(304);
    expect(sale.asked).toEqual([]);
    expect(await sale.latest()).toBeNull();
  });

  test('gets no redirect when the session cannot be recorded, or without a URL', async () => {
    const unrecorded = await sellPads(undefined, ({ files, sessions }) => ({
      files: { ...files, presign: async () => ADDRESS },
      sessions: { ...sessions, begin: () => Promise.reject(new Error('away')) },
    }));
    const path = `/d/${unrecorded.token}/files/1.0/pads.zip`;
    expect((await unrecorded.app.inject(path)).statusCode).toBe(302);
    const sale = await sellElsewhere(false);
    expect((await sale.app.inject(sale.path)).statusCode).toBe(500);
  });
});
