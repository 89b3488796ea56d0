import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPostmasterThere } from '@handover/embedded-postgres';
import { expect, it, onTestFinished, vi } from 'vitest';
import { isSameProcess } from '../../../packages/embedded-postgres/src/find-embedded-postgres.ts';
import { makePreparedDataDir } from './support/prepared-data-dir.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const NO_SETTINGS = { DATABASE_URL: '', HANDOVER_SECRET: '', SITE_URL: '', HOST: '', SMTP_URL: '', ROLE: '' };

/** Runs npm start with all of npm, npx and pnpm, in its own process group, as a terminal does. */
async function npmStart(environment: Record<string, string> = {}) {
  const dataDir = await makePreparedDataDir();
  const child = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    // All that npm may need to reach its registry, and no setting of ours.
    env: { ...process.env, ...NO_SETTINGS, PORT: '0', DATA_DIR: dataDir, ...environment },
  });
  const pid = child.pid ?? 0;
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text));
  const returned = once(child, 'exit').then(([code]) => code);
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGTERM');
    await returned;
  });
  return { pid, dataDir, returned, printed: () => printed };
}

async function readServerPid(dataDir: string): Promise<number> {
  const [claim = ''] = (await readdir(join(dataDir, 'lock'))).filter((name) => /^\d+$/.test(name));
  return JSON.parse(await readFile(join(dataDir, 'lock', claim), 'utf8')).pid;
}

it.each([
  ['a Ctrl-C in its terminal', 'SIGINT', -1],
  ['SIGTERM to npm alone', 'SIGTERM', 1],
] as const)(
  'npm start does not return from %s before the server and its database have ended',
  async (_name, signal, whom) => {
    const { pid, dataDir, returned, printed } = await npmStart();
    await vi.waitUntil(() => printed().includes('Ctrl-C stops'), { timeout: 60_000, interval: 50 });
    const server = await readServerPid(dataDir);
    expect(await isSameProcess(server, null)).toBe(true);
    // A silent client: the drain takes a second at least.
    const [, port = ''] = /listening at http:\/\/localhost:(\d+)/.exec(printed()) ?? [];
    const client = connect(Number(port), '127.0.0.1');
    client.on('error', () => undefined);
    await once(client, 'connect');

    const began = Date.now();
    process.kill(whom * pid, signal);
    expect(await returned).toBe(0);
    expect(await isSameProcess(server, null)).toBe(false);
    expect(await isPostmasterThere(join(dataDir, 'postgres'))).toBe(false);
    expect(printed()).toContain('"msg":"stopped"');
    expect(Date.now() - began).toBeGreaterThan(900);
  },
);

it('npm start reports invalid settings and fails', async () => {
  const { returned, printed } = await npmStart({ HOST: '0.0.0.0' });
  expect(await returned).toBe(1);
  expect(printed()).toContain('SITE_URL is required, because HOST 0.0.0.0 lets other machines in');
});
