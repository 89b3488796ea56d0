import { claimEmail, claimIdOf } from '@handover/testkit';
import pg from 'pg';
import { beforeAll, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { LIMITS } from '../src/database/purposes.ts';
import { createPostgresStores, openDatabase } from '../src/index.ts';
import { clock, count, opened, openShopAnew, sell, shop } from './shop-of-the-test.ts';
import { WAITING } from './while-locked.ts';

openShopAnew(beforeAll);

const secretBox = {
  seal: (plain: string) => plain,
  unseal: (sealed: string) => sealed,
  holds: () => false,
};

it('everything else has connections while the alerts of many refused mails wait for their mail', async () => {
  const log = { warn: () => undefined, error: () => undefined };
  const database = openDatabase({ url: opened.url, limits: LIMITS.deciding, log });
  const { organisations, outgoingEmails } = createPostgresStores({
    ...{ database, jobs: opened.queue, secretBox },
  });
  const refuse = async (receiptId: string) => {
    const claimed = await claimEmail({ outgoingEmails }, shop.orgId, receiptId, clock.now());
    const refused = { kind: 'refused', at: clock.now(), answer: '550 No such user', reason: 'No.' } as const;
    return outgoingEmails.complete(shop.orgId, receiptId, claimIdOf(claimed), refused);
  };
  const [first, ...others] = await sell(2 * LIMITS.deciding.maxConnections);
  await refuse(first?.receiptId ?? '');
  // Without the time limits of our own connections.
  const closing = new pg.Client({ connectionString: opened.url });
  await closing.connect();
  await closing.query("begin; select from outgoing_emails where kind = 'alert' for update");
  const begunAt = performance.now();
  const ended = Promise.all(others.map(({ receiptId }) => refuse(receiptId)));
  try {
    await vi.waitUntil(async () => {
      return (await count(WAITING)) > 0;
    }, WAIT_TIMEOUT_MS);
    await Promise.all(others.map(() => organisations.find(shop.orgId)));
    expect(performance.now() - begunAt).toBeLessThan(LIMITS.deciding.lockMs);
  } finally {
    await closing.end();
    expect(new Set(await ended)).toEqual(new Set(['completed']));
    await database.close();
  }
});
