import timers from 'node:timers/promises';
import { DomainError } from '@handover/domain';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { retryUntilAvailable } from '../src/composition/open-infrastructure.ts';

// No pause between tries. The module that asks for one may be loaded already, so its timers are replaced, and not imports.
beforeEach(() => void vi.spyOn(timers, 'setTimeout').mockResolvedValue(undefined));
afterEach(() => vi.restoreAllMocks());

const log = pino({ level: 'silent' });
const away = new DomainError('store-unavailable', 'The database does not tell the time: silent.');

/** Work that fails as often as that; each try takes so long by the clock of this process. */
function failing(times: number, triesLastMs: number) {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const work = vi.fn(async () => {
    now += triesLastMs;
    if (work.mock.calls.length <= times) throw away;
    return 'done';
  });
  return work;
}

it('tries again after the process was frozen within a try, however long', async () => {
  const work = failing(1, 10 * 60_000);
  expect(await retryUntilAvailable(log, work)).toBe('done');
  expect(work).toHaveBeenCalledTimes(2);
});

it('gives up after a minute of tries', async () => {
  const work = failing(100, 5_000);
  await expect(retryUntilAvailable(log, work)).rejects.toBe(away);
  expect(work).toHaveBeenCalledTimes(11);
});

it('logs each reason once, without a stack', async () => {
  const lines: Record<string, unknown>[] = [];
  const shown = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const other = new DomainError('store-unavailable', 'The database cannot be reached: it starts up.');
  const failures = [away, away, other, other];
  const work = async () => {
    const failure = failures.shift();
    if (failure) throw failure;
  };
  await retryUntilAvailable(shown, work);
  expect(lines.map(({ reason }) => reason)).toEqual([away.message, other.message]);
  expect(lines.filter((line) => 'err' in line)).toEqual([]);
});

it('gives up at once for another failure, or once it is stopped', async () => {
  const work = vi.fn(() => Promise.reject(new Error('wrong password')));
  await expect(retryUntilAvailable(log, work)).rejects.toThrow('wrong password');
  const stopped = failing(1, 10);
  await expect(retryUntilAvailable(log, stopped, AbortSignal.abort())).rejects.toBe(away);
  expect(work).toHaveBeenCalledTimes(1);
  expect(stopped).toHaveBeenCalledTimes(1);
});
