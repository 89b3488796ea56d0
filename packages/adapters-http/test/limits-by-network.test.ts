import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openTestShop } from './open-test-shop.ts';

const SOURCES = fileURLToPath(new URL('../src', import.meta.url));

async function askForSignIn(remoteAddressOf: (tries: number) => string, tries: number) {
  const { app } = await openTestShop();
  const answers: number[] = [];
  for (let count = 0; count < tries; count += 1) {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/dashboard/sign-in',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      payload: new URLSearchParams({ email: `someone${count}@example.com` }).toString(),
      remoteAddress: remoteAddressOf(count),
    });
    answers.push(statusCode);
  }
  return answers;
}

test.each([
  ['every address of one IPv6 network', (count: number) => `2001:db8:1:2::${(count + 1).toString(16)}`],
  [
    'an IPv4 address in whatever spelling',
    (count: number) => ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107'][count % 3] ?? '',
  ],
])('sign-in counts %s together', async (_, addressOf) => {
  const answers = await askForSignIn(addressOf, 31);
  expect(answers.filter((status) => status === 200)).toHaveLength(30);
  expect(answers.at(-1)).toBe(429);
});

test('sign-in counts networks apart', async () => {
  const answers = await askForSignIn((count) => `2001:db8:1:${count.toString(16)}::1`, 31);
  expect(answers).not.toContain(429);
});

test('every limit uses networkOf for the address of a request', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const others = files.flatMap((name) => {
    const text = readFileSync(join(SOURCES, name), 'utf8');
    const reads = text.match(/(?<!networkOf\()\b\w+\.(?:ip|ips)\b|remoteAddress|x-forwarded-for/g) ?? [];
    return reads.map((read) => `${name}: ${read}`);
  });
  // One tells requests of this machine from others, one logs the address; neither counts anything.
  expect(others.sort()).toEqual([
    'requests/local-request.ts: remoteAddress',
    'requests/request-log.ts: request.ip',
  ]);
});
