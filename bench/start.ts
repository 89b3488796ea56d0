// How long `npm start` takes to listen, warm; what a command takes; and what rests in memory then:
// npm run bench -- start [runs]
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from './start-command.ts';

const RUNS = Number(process.argv[3] ?? 5);
const TARGETS = { startMs: 2500, commandMs: 1000, restMB: 200 };
const SETTLED_MS = 10_000;
/** In which the kernel counts processor time. */
const TICK_MS = 10;

const dataDir = await mkdtemp(join(tmpdir(), 'handover-bench-'));
const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', DATABASE_URL: '' };
try {
  const starts = [];
  // The first one installs, bundles and makes the database.
  for (let run = 0; run <= RUNS; run += 1) {
    const server = await start();
    if (run > 0) starts.push(server.took);
    await server.end();
  }
  const server = await start();
  const commands = [];
  for (let run = 0; run <= RUNS; run += 1) {
    const took = await command(['secret', 'status']);
    if (run > 0) commands.push(took);
  }
  await pause(SETTLED_MS);
  const rest = await readRest(server.pid);
  await server.end();
  console.table(rest);
  const startMs = report('npm start to listening', starts, TARGETS.startMs);
  const commandMs = report('a command', commands, TARGETS.commandMs);
  const restMB = rest.reduce((sum, { MB }) => sum + MB, 0);
  console.log(`at rest, npm and PostgreSQL included: ${Math.round(restMB)} MB (target: ${TARGETS.restMB})`);
  const isMet = startMs < TARGETS.startMs && commandMs < TARGETS.commandMs && restMB < TARGETS.restMB;
  process.exitCode = isMet ? 0 : 1;
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

interface Took {
  readonly ms: number;
  readonly cpuMs: number;
}

async function start() {
  const began = performance.now();
  const child = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  await waitFor(child, 'listening at');
  const pid = child.pid ?? 0;
  const took = { ms: performance.now() - began, cpuMs: await readCpu(pid) };
  child.stdout?.resume();
  const end = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { pid, took, end };
}

async function waitFor(child: ChildProcess, words: string): Promise<void> {
  if (child.stdout === null) throw new Error('There is no output.');
  for await (const line of createInterface(child.stdout)) if (line.includes(words)) return;
  throw new Error('The server did not start.');
}

/** As a shell is told by `times`: of a child that waits for all of its own. */
async function command(words: readonly string[]): Promise<Took> {
  const script = 'npm run --silent handover -- "$@" >&2; times';
  const began = performance.now();
  const child = spawn('sh', ['-c', script, 'sh', ...words], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let printed = '';
  child.stdout.on('data', (text) => (printed += text));
  await once(child, 'close');
  const times = [
    ...(printed
      .trim()
      .split('\n')
      .at(-1)
      ?.matchAll(/(\d+)m([\d.]+)s/g) ?? []),
  ];
  const cpuMs = times.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
    0,
  );
  return { ms: performance.now() - began, cpuMs };
}

function report(what: string, took: readonly Took[], target: number): number {
  const median = (values: readonly number[]) =>
    [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const ms = median(took.map((one) => one.ms));
  const cpu = Math.round(median(took.map((one) => one.cpuMs)));
  console.log(`${what}: ${Math.round(ms)} ms, ${cpu} ms of processor time (target: ${target} ms)`);
  return ms;
}

/** Its own, its children's, and what those that have ended took. */
async function readCpu(pid: number): Promise<number> {
  const own = (await readStat(pid)).slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
  const children = await Promise.all((await listChildren(pid)).map(readCpu));
  return children.reduce((sum, ms) => sum + ms, own);
}

/** What each process holds; of what several share, its part. */
async function readRest(npm: number) {
  const postmaster = Number.parseInt(
    await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8'),
    10,
  );
  return [
    { what: 'npm', MB: await readShare(npm) },
    { what: 'server', MB: await sumShares(await listChildren(npm)) },
    { what: 'PostgreSQL', MB: await sumShares([postmaster, ...(await listChildren(postmaster))]) },
  ];
}

async function sumShares(pids: readonly number[]): Promise<number> {
  return (await Promise.all(pids.map(readShare))).reduce((sum, MB) => sum + MB, 0);
}

async function readShare(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return (Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1]) * 1024) / 1_000_000;
}

async function listChildren(parent: number): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(
    pids.map(async (pid) => Number((await readStat(pid).catch(() => []))[1])),
  );
  return pids.filter((_, at) => parents[at] === parent);
}

/** The fields after the name, which is in brackets and may hold anything. */
async function readStat(pid: number): Promise<readonly string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
