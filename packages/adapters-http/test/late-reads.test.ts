import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { allowLateReads } from '../src/create-http-app.ts';

async function ask(method: 'GET' | 'POST' | 'HEAD', url: string, headers: Record<string, string> = {}) {
  let isLate = false;
  const app = fastify({ exposeHeadRoutes: true });
  allowLateReads(app, {
    siteUrl: 'https://get.example.com',
    allowLateReads: (work) => {
      isLate = true;
      work();
    },
  });
  for (const path of ['/api/purchases', '/dashboard/log', '/d/token', '/apiary']) {
    app.get(path, async () => 'read');
    app.post(path, async (_request, reply) => reply.header('set-cookie', 'other=1').send('done'));
  }
  const { headers: answered } = await app.inject({ method, url, headers });
  await app.close();
  return { isLate, cookies: [answered['set-cookie'] ?? []].flat() };
}

it('lets lists, reports and pages be late, and nothing else', async () => {
  expect((await ask('GET', '/api/purchases')).isLate).toBe(true);
  expect((await ask('GET', '/dashboard/log?page=2')).isLate).toBe(true);
  for (const path of ['/d/token', '/apiary']) expect((await ask('GET', path)).isLate).toBe(false);
  expect((await ask('POST', '/dashboard/log')).isLate).toBe(false);
});

it('shows a browser what it did, from the primary, and a client of the API what it asks for', async () => {
  const { cookies } = await ask('POST', '/dashboard/log');
  expect(cookies).toEqual([
    'other=1',
    expect.stringMatching(/^handover-changed=1; Max-Age=10; .*HttpOnly; SameSite=Lax; Secure$/),
  ]);
  const [cookie = ''] = cookies[1]?.split(';') ?? [];
  expect((await ask('GET', '/dashboard/log', { cookie: `other=1; ${cookie}` })).isLate).toBe(false);
  expect((await ask('GET', '/api/purchases', { 'cache-control': 'no-cache' })).isLate).toBe(false);
  expect((await ask('GET', '/dashboard/log')).cookies).toEqual([]);
  expect((await ask('POST', '/d/token')).cookies).toEqual(['other=1']);
});
