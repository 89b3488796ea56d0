import { expect, test } from 'vitest';
import { createPartProbe } from '../src/health-routes.ts';

test('a part is asked at most once in ten seconds, and says how it is', async () => {
  let now = 0;
  let asked = 0;
  let isThere = true;
  const read = createPartProbe(
    async () => {
      asked += 1;
      if (!isThere) throw new Error('refused');
    },
    () => now,
  );
  expect([await read(), await read(), asked]).toEqual(['ok', 'ok', 1]);
  isThere = false;
  now = 9_999;
  expect([await read(), asked]).toEqual(['ok', 1]);
  now = 10_000;
  await read();
  await expect.poll(read).toBe('away');
  expect(asked).toBe(2);
  isThere = true;
  now = 20_000;
  await read();
  await expect.poll(read).toBe('ok');
});

test('a part that does not answer keeps nobody waiting, and is asked once', async () => {
  let asked = 0;
  const answer = Promise.withResolvers<void>();
  const read = createPartProbe(() => {
    asked += 1;
    return answer.promise;
  });
  expect(await Promise.all([read(), read()])).toEqual(['unknown', 'unknown']);
  expect(asked).toBe(1);
  answer.reject(new Error('timed out'));
  await expect.poll(read).toBe('away');
});
