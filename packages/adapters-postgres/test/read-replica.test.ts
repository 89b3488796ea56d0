import { expect, it } from 'vitest';
import { allowLateReads, isLateRead } from '../src/database/read-replica.ts';
import { createBatches, createTurns } from '../src/statements/batches.ts';

const READ = 'select "id" from "purchases" where "org_id" = $1';

it('lets a replica answer a read only of a request that allows it', async () => {
  expect(isLateRead(READ)).toBe(false);
  await new Promise<void>((resolve) => {
    allowLateReads(async () => {
      expect(isLateRead(READ)).toBe(true);
      await null;
      expect(isLateRead(READ)).toBe(true);
      resolve();
    });
  });
  expect(isLateRead(READ)).toBe(false);
});

it('sends what several requests read together to the primary: one of them may not allow a replica', async () => {
  const batches: (readonly [callers: number, isLate: boolean])[] = [];
  const read = createBatches<string, void>({
    keyOf: () => 'products',
    maxItems: 10,
    turns: createTurns(1),
    run: async (asked) => {
      batches.push([asked.length, isLateRead(READ)]);
      await null;
      return asked.map(() => undefined);
    },
  });
  let late: Promise<void> | undefined;
  allowLateReads(() => {
    late = read('shows a page');
  });
  await Promise.all([late, read('has just changed something')]);
  expect(batches).toEqual([[2, false]]);
});

it.each([
  'begin',
  'update "purchases" set "amount" = $1',
  'with gone as (delete from "deliveries" returning 1) select count(*) from gone',
  'insert into "activity" ("id") values ($1)',
  'select * from "products" for update',
  'select "id" from "user_sessions"',
  'select "org_id" from "users" join "purchases" on true',
  'select "hash" from "api_keys"',
  'select "id" from "passkeys"',
  'select "subscription_expires_at" from "organisations"',
])('sends “%s” to the primary, whatever the request allows', (statement) => {
  allowLateReads(() => expect(isLateRead(statement)).toBe(false));
});
