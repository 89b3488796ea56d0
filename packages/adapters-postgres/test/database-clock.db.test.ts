import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { MACHINE_CLOCKS } from '../src/clock/database-clock.ts';
import { startDatabaseClock } from '../src/index.ts';
import { openTestStores, type TestStores } from '../src/testing/index.ts';
import { startTcpProxy } from './tcp-proxy.ts';

/** The maximum difference between two readings of one clock on a busy machine. */
const BLUR_MS = 500;
const MINUTE = 60_000;
/** The next regular reading comes after ten seconds. */
const BEFORE_NEXT_READING_MS = 8_000;

let opened: TestStores;

beforeEach(async () => {
  opened = await openTestStores(inject('postgres'));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await opened.close();
});

async function readDatabase(): Promise<number> {
  const { rows } = await opened.database.pool.query('select clock_timestamp() as now');
  return rows[0].now.getTime();
}

it("tells the database's time, whatever the machine's clock says, and jumps to", async () => {
  const real = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => real() + 10 * MINUTE);
  const clock = await startDatabaseClock(opened.url);
  expect(Math.abs(clock.now().getTime() - (await readDatabase()))).toBeLessThan(BLUR_MS);
  vi.spyOn(Date, 'now').mockImplementation(() => real() - 2 * MINUTE);
  expect(Math.abs(clock.now().getTime() - (await readDatabase()))).toBeLessThan(BLUR_MS);
  clock.stop();
});

/** The clocks of this machine, and the time that only the wall clock has counted. */
function openClocks() {
  const ahead = { wall: 0, uptime: 0 };
  const clocks = {
    monotonic: () => performance.now(),
    wall: () => Date.now() + ahead.wall,
    uptime: () => performance.now() + ahead.uptime,
  };
  return { ahead, clocks };
}

/** A database whose clock the test can advance, as another machine's clock advances while this machine sleeps. */
async function openToldTime() {
  await opened.database.pool.query(
    `create schema told;
     create table told.slept (seconds integer not null);
     insert into told.slept values (0);
     create function told.clock_timestamp() returns timestamptz language sql volatile
       as 'select pg_catalog.clock_timestamp() + make_interval(secs => seconds) from told.slept'`,
  );
  const url = new URL(opened.url);
  url.searchParams.set('options', '-c search_path=told,public,pg_catalog');
  const goOn = () => opened.database.pool.query('update told.slept set seconds = 60');
  return { url: url.href, goOn };
}

it('is correct at once after the machine slept, although the monotonic clock did not count the sleep', async () => {
  const { url, goOn } = await openToldTime();
  const { ahead, clocks } = openClocks();
  const clock = await startDatabaseClock(url, clocks);
  await goOn();
  Object.assign(ahead, { wall: MINUTE, uptime: MINUTE });
  expect(Math.abs(clock.now().getTime() - MINUTE - (await readDatabase()))).toBeLessThan(BLUR_MS);
  await clock.read();
  expect(Math.abs(clock.now().getTime() - MINUTE - (await readDatabase()))).toBeLessThan(BLUR_MS);
  clock.stop();
});

it('asks the database as soon as its clocks differ, not at the next regular reading', async () => {
  const { url, goOn } = await openToldTime();
  const { ahead, clocks } = openClocks();
  const clock = await startDatabaseClock(url, clocks);
  await goOn();
  // Not even the uptime has counted this sleep.
  ahead.wall = MINUTE;
  const findLead = async () => clock.now().getTime() - (await readDatabase());
  expect(Math.abs(await findLead())).toBeLessThan(BLUR_MS);
  await vi.waitFor(
    async () => expect(Math.abs((await findLead()) - MINUTE)).toBeLessThan(BLUR_MS),
    BEFORE_NEXT_READING_MS,
  );
  clock.stop();
});

it('does not mistake a clock that was set forward for a sleep, even while the database is unavailable', async () => {
  const wire = await startTcpProxy(opened.url);
  const { ahead, clocks } = openClocks();
  const clock = await startDatabaseClock(wire.url, clocks);
  await wire.cut();
  ahead.wall = 10 * MINUTE;
  expect(Math.abs(clock.now().getTime() - (await readDatabase()))).toBeLessThan(BLUR_MS);
  clock.stop();
  await wire.close();
});

it('reads clocks of this machine that count in milliseconds, and go on', async () => {
  const before = Object.values(MACHINE_CLOCKS).map((read) => read());
  await pause(100);
  for (const [at, read] of Object.values(MACHINE_CLOCKS).entries()) {
    expect(Math.abs(read() - (before[at] ?? 0) - 100)).toBeLessThan(BLUR_MS);
  }
});

it('continues while the database is down, and fails to start then', async () => {
  const wire = await startTcpProxy(opened.url);
  const clock = await startDatabaseClock(wire.url);
  await wire.cut();
  await expect(clock.read()).rejects.toMatchObject({ code: 'store-unavailable' });
  expect(Math.abs(clock.now().getTime() - (await readDatabase()))).toBeLessThan(BLUR_MS);
  await expect(startDatabaseClock(wire.url)).rejects.toMatchObject({ code: 'store-unavailable' });
  clock.stop();
  await wire.close();
});
