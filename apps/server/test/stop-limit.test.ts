import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { isSameProcess } from '../../../packages/embedded-postgres/src/find-embedded-postgres.ts';
import { runProgram } from '../../../test/run-program.ts';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { makePreparedDataDir } from './support/prepared-data-dir.ts';
import { runCliHere, type ServerProcess, startServer } from './support/server-process.ts';

const LIMIT_SECONDS = 8;
/** Extra time for a busy machine. Without the limit of these tests, the drain would take a minute, or for ever. */
const SLACK_MS = 20_000;
/** Until it notices, the database writes into folders that are being deleted. */
const REMOVED_WHILE_WRITTEN = { recursive: true, force: true, maxRetries: 20 };

async function startTrial(settings: Record<string, string> = {}) {
  const dataDir = await makePreparedDataDir();
  const server = await startServer({
    DATA_DIR: dataDir,
    STOP_TIMEOUT_SECONDS: String(LIMIT_SECONDS),
    ...settings,
  });
  await server.waitForLine(/Ctrl-C stops/);
  const postmaster = Number.parseInt(await readFile(`${dataDir}/postgres/data/postmaster.pid`, 'utf8'), 10);
  onTestFinished(() => {
    // Cleans up after the test: no other code knows its directory.
    for (const signal of ['SIGCONT', 'SIGKILL'] as const) tryKill(postmaster, signal);
  });
  return { dataDir, server, postmaster };
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended as expected.
  }
}

async function endsInTime(server: ServerProcess, hang: () => unknown): Promise<number | null> {
  const began = Date.now();
  const ended = server.end('SIGTERM');
  await server.waitForLine(/stopping: finishing what was accepted/);
  await hang();
  const code = await ended;
  expect(Date.now() - began).toBeLessThan(LIMIT_SECONDS * 1000 + SLACK_MS);
  return code;
}

async function expectNoOrphan(postmaster: number): Promise<void> {
  await vi.waitUntil(async () => !(await isRunning(postmaster)), WAIT_TIMEOUT_MS);
}

/** An unreaped zombie does not run. */
async function isRunning(pid: number): Promise<boolean> {
  if (!(await isSameProcess(pid, null))) return false;
  // Without output it ended in between.
  const { stdout: state } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return state !== '' && !state.startsWith('Z');
}

it('ends within its limit when the folder of data is removed during the drain, and leaves no database', async () => {
  const { dataDir, server, postmaster } = await startTrial();
  await endsInTime(server, () => rm(dataDir, REMOVED_WHILE_WRITTEN));
  await expectNoOrphan(postmaster);
});

it('ends within its limit when the folder is removed before it, and leaves no database', async () => {
  const { dataDir, server, postmaster } = await startTrial();
  await rm(dataDir, REMOVED_WHILE_WRITTEN);
  await endsInTime(server, () => undefined);
  await expectNoOrphan(postmaster);
});

it('ends within its limit when the database is killed during the drain', async () => {
  const { server, postmaster } = await startTrial();
  await endsInTime(server, () => tryKill(postmaster, 'SIGKILL'));
  await expectNoOrphan(postmaster);
});

it('ends within its limit when the database is frozen, names what is left, and leaves no database', async () => {
  const { dataDir, server, postmaster } = await startTrial();
  tryKill(postmaster, 'SIGSTOP');
  expect(await endsInTime(server, () => undefined)).toBe(1);
  expect(server.printed()).toMatch(/"leftBehind":\[.*"database"\].*the drain did not end in time/);
  await expectNoOrphan(postmaster);
  // No commit is lost.
  const again = await startServer({ DATA_DIR: dataDir });
  await again.waitForLine(/Ctrl-C stops/);
  const [key] = /hnd_\w+/.exec(server.printed()) ?? [];
  expect(again.printed()).toContain(key);
});

it('ends within its limit when a mail server never answers, and reports the unfinished job', async () => {
  const asked = Promise.withResolvers<void>();
  const silent = createServer(() => asked.resolve()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const address = silent.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const { dataDir, server, postmaster } = await startTrial({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  const [, words = ''] = /npm run --silent handover -- (simulate .*)/.exec(server.printed()) ?? [];
  const ordering = runCliHere({ DATA_DIR: dataDir }, words.trim().split(' '));
  await asked.promise;
  expect(await endsInTime(server, () => undefined)).toBe(1);
  expect(server.printed()).toMatch(/"leftBehind":\["jobs".*the drain did not end in time/);
  await expectNoOrphan(postmaster);
  await ordering;
});

it('ends with its database when the tour fails', async () => {
  const dataDir = await makePreparedDataDir();
  await writeFile(`${dataDir}/demo.json`, '{');
  const server = await startServer({ DATA_DIR: dataDir });
  await server.waitForLine(/"msg":"stopped"/);
  expect(await server.end('SIGTERM')).toBe(1);
  expect(server.printed()).toMatch(/SyntaxError.*JSON/);
  // PostgreSQL deletes it when it ends.
  expect(existsSync(`${dataDir}/postgres/data/postmaster.pid`)).toBe(false);
});

it('stops in order on a signal while it creates the demo', async () => {
  const dataDir = await makePreparedDataDir();
  const server = await startServer({ DATA_DIR: dataDir });
  expect(await server.end('SIGTERM')).toBe(0);
  expect(server.printed()).toContain('"msg":"stopped"');
  expect(existsSync(`${dataDir}/postgres/data/postmaster.pid`)).toBe(false);
});

it('fails when its drain ends only because the limit killed the database', async () => {
  const program = runProgram(new URL('./programs/drain-late.ts', import.meta.url), '2000');
  expect(await program.read()).toBe('draining');
  expect(await program.ended()).toBe(1);
});

it('ends within its limit when its only thread is blocked', async () => {
  const began = Date.now();
  const program = runProgram(new URL('./programs/stand-still.ts', import.meta.url), '2000');
  expect(await program.read()).toBe('standing still');
  await vi.waitUntil(async () => !(await isRunning(program.pid)), WAIT_TIMEOUT_MS);
  expect(Date.now() - began).toBeLessThan(2000 + SLACK_MS);
});
