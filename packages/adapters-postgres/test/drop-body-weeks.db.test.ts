import { removeOldBodies } from '@handover/domain';
import { beforeEach, expect, it } from 'vitest';
import { LIMITS } from '../src/database/purposes.ts';
import { countRows } from './count-rows.ts';
import {
  after,
  DAY,
  hasBody,
  idAt,
  makeWeeksOf,
  NOW,
  opened,
  openWeeks,
  receive,
  rotate,
  setStatus,
  tableOf,
  WEEK,
} from './weeks-of-the-test.ts';

beforeEach(openWeeks);

it('drops a past week as a whole, and keeps bodies that are pending, held, or newer', async () => {
  await makeWeeksOf(NOW);
  const done = [await receive(NOW), await receive(after(DAY), { status: 'ignored' })];
  const pending = await receive(NOW, { status: 'pending' });
  const held = await receive(after(DAY));
  await setStatus(held, 'held');
  const later = after(4 * WEEK);
  const behind = await receive(after(4 * WEEK - DAY), { bodyId: idAt(NOW) });
  const young = await receive(later);
  // The week ends in the night from Sunday to Monday.
  const end = new Date('2026-11-30T00:00:00Z').getTime();
  expect((await rotate(new Date(end + 2 * WEEK - 1))).dropped).toBe(0);
  expect((await rotate(new Date(end + 2 * WEEK))).dropped).toBe(1);
  expect((await rotate(new Date(end + 2 * WEEK))).dropped).toBe(0);
  const kept = [pending, held, behind, young];
  expect(await Promise.all(done.map(hasBody))).toEqual([false, false]);
  expect(await Promise.all(kept.map(hasBody))).toEqual([true, true, true, true]);
  expect(await tableOf(held)).toBe('delivery_bodies_default');

  await setStatus(held, 'success');
  const clock = { now: () => later };
  expect(await removeOldBodies({ clock, maintenance: opened.stores.maintenance }, 14)).toBe(1);
  expect(await Promise.all(kept.map(hasBody))).toEqual([true, false, true, true]);
});

it('removes the bodies of a week one by one while too much of it is held, and drops it afterwards', async () => {
  await makeWeeksOf(NOW);
  const done = await receive(NOW);
  const held = await receive(NOW);
  await setStatus(held, 'held');
  await opened.database.pool.query(
    `with body as (
       insert into delivery_bodies (org_id, id, bytes, headers, received_at)
       select org_id, (left($2::text, 24) || 'f' || lpad(to_hex(number), 11, '0'))::uuid, bytes, headers, received_at
       from delivery_bodies, generate_series(1, 500) number where id = $2::uuid
       returning *
     )
     insert into deliveries (org_id, id, platform, connection_id, body_id, received_at, status, held_for)
     select body.org_id, body.id, platform, connection_id, body.id, body.received_at, 'held', 'products'
     from body, deliveries where deliveries.id = $1`,
    [held.id, held.bodyId],
  );
  const later = after(3 * WEEK);
  const remove = () =>
    removeOldBodies({ clock: { now: () => later }, maintenance: opened.stores.maintenance }, 14);
  expect((await rotate(later)).dropped).toBe(0);
  expect(await remove()).toBe(1);
  expect([await hasBody(done), await hasBody(held)]).toEqual([false, true]);
  expect(await countRows(opened, 'delivery_bodies')).toBe(501);

  await opened.database.pool.query(`update deliveries set status = 'success' where id <> $1`, [held.id]);
  expect((await rotate(later)).dropped).toBe(1);
  expect([await hasBody(held), await countRows(opened, 'delivery_bodies')]).toEqual([true, 1]);
});

it('removes the bodies of a week one by one while its held bodies are too large to be moved quickly', async () => {
  await makeWeeksOf(NOW);
  const done = await receive(NOW);
  const held = await receive(NOW);
  await setStatus(held, 'held');
  await opened.database.pool.query(
    `update delivery_bodies set bytes = convert_to(repeat('x', 9000000), 'UTF8') where id = $1`,
    [held.bodyId],
  );
  const later = after(3 * WEEK);
  expect((await rotate(later)).dropped).toBe(0);
  const clock = { now: () => later };
  expect(await removeOldBodies({ clock, maintenance: opened.stores.maintenance }, 14)).toBe(1);
  expect([await hasBody(done), await countRows(opened, 'delivery_bodies')]).toEqual([false, 1]);
});

it('drops weeks that are over though many before them are held', async () => {
  const MANY = 12;
  for (let week = 0; week < MANY; week += 1) {
    await makeWeeksOf(after(week * WEEK));
    const { id, bodyId } = await receive(after(week * WEEK));
    await setStatus({ id }, week === MANY - 1 ? 'success' : 'held');
    await opened.database.pool.query(
      `update delivery_bodies set bytes = convert_to(repeat('x', 9000000), 'UTF8') where id = $1`,
      [bodyId],
    );
  }
  expect((await rotate(after((MANY + 2) * WEEK))).dropped).toBe(1);
});

it('answers webhooks while a reader keeps a week from being dropped, and drops it once that is gone', async () => {
  await makeWeeksOf(NOW);
  const old = await receive(NOW);
  const later = after(3 * WEEK);
  await makeWeeksOf(later);
  const stopReading = await readBodies();
  try {
    let isDropping = true;
    const begunAt = performance.now();
    const dropping = rotate(later).finally(() => {
      isDropping = false;
    });
    let answered = 0;
    // Each waits for the drop, at most until the drop gives up.
    while (isDropping) {
      expect(await hasBody(await receive(later))).toBe(true);
      answered += 1;
    }
    expect((await dropping).dropped).toBe(0);
    // It takes a quarter of a second, so that no webhook behind it runs into its time limit.
    expect(performance.now() - begunAt).toBeLessThan(LIMITS.accepting.lockMs);
    expect(answered).toBeGreaterThan(0);
    expect(await hasBody(old)).toBe(true);
  } finally {
    stopReading();
  }
  await expect.poll(() => rotate(later)).toEqual({ made: 0, dropped: 1 });
  expect(await hasBody(old)).toBe(false);
});

/** Reads all bodies in a transaction, as a dump does, until the test stops it. */
async function readBodies(): Promise<() => void> {
  const reader = await opened.database.pool.connect();
  await reader.query('begin');
  await reader.query('select count(*) from delivery_bodies');
  return () => reader.release(true);
}

it('records every webhook that comes while weeks are dropped', async () => {
  for (let week = 0; week < 8; week += 1) {
    await makeWeeksOf(after(week * WEEK));
    await receive(after(week * WEEK));
  }
  const later = after(8 * WEEK);
  let isDropping = true;
  const dropping = rotate(later, WEEK).finally(() => {
    isDropping = false;
  });
  const send = async () => {
    const sent: { readonly id: string }[] = [];
    while (isDropping) sent.push(await receive(later));
    return sent;
  };
  const sent = (await Promise.all([send(), send(), send()])).flat();
  const { dropped } = await dropping;
  // A partition that was locked is dropped in the next run.
  expect(dropped + (await rotate(later, WEEK)).dropped).toBe(7);
  expect(sent.length).toBeGreaterThan(0);
  expect(await Promise.all(sent.map(hasBody))).toEqual(sent.map(() => true));
});
