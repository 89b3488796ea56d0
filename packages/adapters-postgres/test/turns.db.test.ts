import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { acquireLease } from '../src/index.ts';
import { openTestStores, type TestStores } from '../src/testing/index.ts';

let opened: TestStores;

beforeEach(async () => {
  opened = await openTestStores(inject('postgres'));
  return opened.close;
});

describe('a turn', () => {
  it('is taken by one process of many, and by nobody else until it is due again', async () => {
    const turn = { name: 'test', everyMs: 60_000, leaseMs: 60_000, withinMs: 60_000 };
    let working = 0;
    let most = 0;
    const work = async () => {
      working += 1;
      most = Math.max(most, working);
      await opened.database.pool.query('select pg_sleep(0.05)');
      working -= 1;
    };
    const take = () => acquireLease(opened.database, turn, work);
    const took = await Promise.all(Array.from({ length: 5 }, take));
    expect(took.filter(Boolean)).toHaveLength(1);
    expect(await take()).toBe(false);
    await opened.database.pool.query('update leases set due_at = now()');
    await expect.poll(take).toBe(true);
    expect(most).toBe(1);
  });

  it('of a process that is stuck is taken by another once its time is over, and one that failed is over', async () => {
    const turn = { name: 'stuck', everyMs: 0, leaseMs: 100, withinMs: 300 };
    let finish = (): void => undefined;
    let hung = Promise.resolve(false);
    await new Promise<void>((begun) => {
      hung = acquireLease(opened.database, turn, () => {
        begun();
        return new Promise((done) => (finish = done));
      });
    });
    const take = () => acquireLease(opened.database, turn, async () => undefined);
    await expect.poll(take).toBe(true);
    finish();
    expect(await hung).toBe(true);

    // Its lease would last longer than the test waits.
    const failed = { ...turn, name: 'failed', leaseMs: 60_000, withinMs: 60_000 };
    const failing = acquireLease(opened.database, failed, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    await expect.poll(() => acquireLease(opened.database, failed, async () => undefined)).toBe(true);
  });

  it('of a process that died is taken once its short lease is over, and one that goes on is not', async () => {
    const turn = { name: 'long', everyMs: 0, leaseMs: 2_000, withinMs: 600_000 };
    let finish = (): void => undefined;
    const take = (work: () => Promise<void>) => acquireLease(opened.database, turn, work);
    const atWork = take(() => new Promise((done) => (finish = done)));
    await expect
      .poll(() => opened.database.pool.query('select from leases where name = $1', [turn.name]))
      .toMatchObject({ rowCount: 1 });
    await opened.database.pool.query('select pg_sleep(3)');
    expect(await take(async () => undefined)).toBe(false);
    finish();
    expect(await atWork).toBe(true);

    const dead = spawnTurn(turn);
    await once(dead.stdout ?? dead, 'data');
    dead.kill('SIGKILL');
    await expect.poll(() => take(async () => undefined), { timeout: WAIT_TIMEOUT_MS }).toBe(true);
  });
});

/** A real process that takes the turn, says so, and never ends its work. */
function spawnTurn(turn: Parameters<typeof acquireLease>[1]): ChildProcess {
  const program = `
    import { openDatabase, acquireLease } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)};
    const database = openDatabase({ url: process.argv[1], log: console });
    await acquireLease(database, ${JSON.stringify(turn)}, () => {
      console.log('taken');
      return new Promise(() => setInterval(() => undefined, 1000));
    });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, opened.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}
