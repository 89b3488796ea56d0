import { openTestStores } from '@handover/adapters-postgres/testing';
import { pino } from 'pino';
import { inject, it, onTestFinished, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { startMaintenance } from '../src/maintenance.ts';

const MINUTE_MS = 60_000;

it('of one process runs every minute, although each run takes some time', async () => {
  const { database, close } = await openTestStores(inject('postgres'));
  onTestFinished(close);
  const timers = vi.spyOn(globalThis, 'setInterval');
  let runs = 0;
  const run = async () => {
    await database.pool.query('select pg_sleep(0.2)');
    runs += 1;
    return {};
  };
  const hasEnded = async (nth: number) => {
    const { rows } = await database.pool.query('select from leases where holder is null');
    return runs === nth && rows.length > 0;
  };
  const begunAt = performance.now();
  const maintenance = startMaintenance({
    database,
    sweeps: [{ name: 'test', run }],
    log: pino({ level: 'silent' }),
  });
  await vi.waitUntil(() => hasEnded(1), WAIT_TIMEOUT_MS);
  const [look] = timers.mock.calls.find(([, everyMs]) => everyMs === MINUTE_MS) ?? [];
  timers.mockRestore();

  // The look after a minute, without the wait for it.
  const leftMs = MINUTE_MS - (performance.now() - begunAt);
  await database.pool.query(`update leases set due_at = due_at - interval '${leftMs} milliseconds'`);
  look?.();
  await vi.waitUntil(() => hasEnded(2), WAIT_TIMEOUT_MS);
  await maintenance.stop();
});
