import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const IS_UP = /postmaster\.pid$/;

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  it(`leaves no PostgreSQL behind when ${signal} ends it`, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'handover-signals-'));
    const { DATABASE_URL: _ofTheTests, ...env } = process.env;
    const simulation = spawn(process.execPath, [MAIN, '--seeds', '100000', '--steps', '3', '--postgres'], {
      env: { ...env, TMPDIR: directory },
      stdio: 'ignore',
    });
    const ended = once(simulation, 'exit');
    await expect
      .poll(async () => (await readdir(directory, { recursive: true })).some((file) => IS_UP.test(file)))
      .toBe(true);
    simulation.kill(signal);
    expect(await ended).toEqual([1, null]);
    expect(await readdir(directory)).toEqual([]);
    await rm(directory, { recursive: true });
  });
}
