import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { startDatabaseClock } from '../src/index.ts';
import { openTestStores, type TestStores } from '../src/testing/index.ts';
import { startTcpProxy } from './tcp-proxy.ts';

/** How far two looks at one clock may be apart on a busy machine. */
const BLUR_MS = 500;
const MINUTE = 60_000;

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

it('finds its way back when the machine slept and did not count the time', async () => {
  const clock = await startDatabaseClock(opened.url);
  const real = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => real() - MINUTE);
  expect((await readDatabase()) - clock.now().getTime()).toBeGreaterThan(MINUTE - BLUR_MS);
  await clock.read();
  expect(Math.abs(clock.now().getTime() - (await readDatabase()))).toBeLessThan(BLUR_MS);
  clock.stop();
});

it('goes on while the database is away, and says so to whoever starts it then', async () => {
  const wire = await startTcpProxy(opened.url);
  const clock = await startDatabaseClock(wire.url);
  await wire.cut();
  await expect(clock.read()).rejects.toMatchObject({ code: 'store-unavailable' });
  expect(Math.abs(clock.now().getTime() - (await readDatabase()))).toBeLessThan(BLUR_MS);
  await expect(startDatabaseClock(wire.url)).rejects.toMatchObject({ code: 'store-unavailable' });
  clock.stop();
  await wire.close();
});
