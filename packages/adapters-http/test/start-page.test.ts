import { expect, test } from 'vitest';
import { openTestShop } from './open-test-shop.ts';

test('the root page describes this site, with links to /my and to sign-in', async () => {
  const { app } = await openTestShop();
  const answer = await app.inject('/');
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(answer.body).toContain('<h1>This site delivers downloads</h1>');
  const ways = [...answer.body.matchAll(/<a class="button[^"]*" href="([^"]+)">([^<]+)<\/a>/g)];
  expect(ways.map(([, href, words]) => [href, words])).toEqual([
    ['/my', 'Get your downloads again'],
    ['/dashboard', 'Sign in'],
  ]);
  expect((await app.inject('/my')).statusCode).toBe(200);
  const { statusCode, headers } = await app.inject('/dashboard');
  expect([statusCode, headers.location]).toEqual([303, expect.stringContaining('/dashboard/sign-in')]);
});
