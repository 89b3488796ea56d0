import { OVERDUE_AFTER_MS, rescueLostWork } from '@handover/domain';
import { makeOrder, recordOrder } from '@handover/domain/testing';
import { beforeEach, expect, it } from 'vitest';
import { createPostgresUpkeep } from '../src/stores/upkeep.ts';
import { clock, count, ids, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';

const LIMITS = { page: 2, pages: 2 };

openShopAnew(beforeEach);

/** A run of whichever process has the turn: nothing is kept in memory. */
function sweep() {
  const upkeep = createPostgresUpkeep(opened.database.db, opened.queue, LIMITS);
  return rescueLostWork({ clock, upkeep });
}

async function queuedOrders(): Promise<readonly string[]> {
  const jobs = await opened.queuedJobs();
  return jobs.flatMap((job) => (job.kind === 'fulfil-delivery' ? [job.deliveryId] : [])).sort();
}

it('goes on where the last run ended, so that what comes after many that wait has its turn', async () => {
  const entries: string[] = [];
  for (let number = 0; number < 9; number += 1) {
    entries.push((await recordOrder(ports(), makeOrder(shop, { orderId: `${number}` }))).id);
  }
  // All are overdue. The first four have a job that waits, as in a queue that is full; the others have lost theirs.
  const lost = (await opened.queuedJobs()).filter(
    (job) => job.kind === 'fulfil-delivery' && !entries.slice(0, 4).includes(job.deliveryId),
  );
  await opened.dropJobs(lost);
  clock.advance(OVERDUE_AFTER_MS + 1);
  expect(await sweep()).toMatchObject({ deliveries: 0 });
  expect(await sweep()).toMatchObject({ deliveries: 4 });
  expect(await sweep()).toMatchObject({ deliveries: 1 });
  expect(await queuedOrders()).toEqual([...entries].sort());
  expect(await count('sweep_cursors')).toBe(0);
  await opened.dropJobs((await opened.queuedJobs()).slice(0, 1));
  expect(await sweep()).toMatchObject({ deliveries: 1 });
});

it('goes on by id where the mails belong to no organisation', async () => {
  const mailIds = Array.from({ length: 6 }, () => ids.next());
  for (const [at, mailId] of mailIds.entries()) {
    await opened.stores.linkMails.requestAll({ mailId, email: `${at}@example.com`, at: clock.now() });
  }
  await opened.dropJobs(await opened.queuedJobs());
  clock.advance(OVERDUE_AFTER_MS + 1);
  expect(await sweep()).toMatchObject({ linkMails: 4 });
  expect(await sweep()).toMatchObject({ linkMails: 2 });
  expect(await sweep()).toMatchObject({ linkMails: 0 });
  const jobs = await opened.queuedJobs();
  expect(jobs.map((job) => job.kind === 'send-link-mail' && job.mailId).sort()).toEqual([...mailIds].sort());
});
