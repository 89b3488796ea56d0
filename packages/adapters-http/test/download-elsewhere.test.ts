import { describe, expect, test } from 'vitest';
import { sellPads } from './sell-pads.ts';

const ADDRESS = 'https://s3.example.com/felt?X-Amz-Signature=hunter2';

async function sellElsewhere(isStored = true) {
  const asked: unknown[] = [];
  const it = await sellPads(undefined, ({ files }) => ({
    files: {
      ...files,
      presign: async (...presigned) => {
        asked.push(presigned);
        return isStored ? ADDRESS : null;
      },
    },
  }));
  const latest = () => it.stores.sessions.latest(it.shop.orgId, it.ports.tokens.open(it.token)?.linkId ?? '');
  return { ...it, asked, latest, path: `/d/${it.token}/files/1.0/pads.zip` };
}

describe('a store that hands out addresses of its own', () => {
  test('gets the buyer sent there, under the file’s name and for a while', async () => {
    const it = await sellElsewhere();
    const answer = await it.app.inject({ url: it.path, headers: { range: 'bytes=1-2' } });
    expect([answer.statusCode, answer.headers.location, answer.body]).toEqual([302, ADDRESS, '']);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const terms = { seconds: 21_600, disposition: expect.stringContaining('pads.zip') };
    expect(it.asked).toEqual([[it.shop.orgId, expect.stringMatching(/^[0-9a-f]{64}$/), terms]]);
    expect(JSON.stringify(it.log.requests())).not.toContain('hunter2');
  });

  test('begins the download session, which only download-complete ends', async () => {
    const it = await sellElsewhere();
    expect(await it.latest()).toBeNull();
    await it.app.inject(it.path);
    expect(await it.latest()).toMatchObject({ completedAt: null });
    const complete = { method: 'POST', url: `/webhooks/${it.shop.orgId}/download-complete` } as const;
    const answer = await it.app.inject({ ...complete, payload: { token: it.token } });
    expect(answer.statusCode).toBe(200);
    expect(await it.latest()).toMatchObject({ completedAt: expect.any(Date) });
  });

  test('is not asked for HEAD, nor for what needs no bytes', async () => {
    const it = await sellElsewhere();
    expect((await it.app.inject({ method: 'HEAD', url: it.path })).statusCode).toBe(200);
    const unchanged = await it.app.inject({ url: it.path, headers: { 'if-none-match': '*' } });
    expect(unchanged.statusCode).toBe(304);
    expect(it.asked).toEqual([]);
    expect(await it.latest()).toBeNull();
  });

  test('sends nobody away when the session cannot be recorded, and nobody to nowhere', async () => {
    const unrecorded = await sellPads(undefined, ({ files, sessions }) => ({
      files: { ...files, presign: async () => ADDRESS },
      sessions: { ...sessions, begin: () => Promise.reject(new Error('away')) },
    }));
    const path = `/d/${unrecorded.token}/files/1.0/pads.zip`;
    expect((await unrecorded.app.inject(path)).statusCode).toBe(302);
    const it = await sellElsewhere(false);
    expect((await it.app.inject(it.path)).statusCode).toBe(500);
  });
});
