// How long `npm start` takes until it listens, and a command of the CLI, when both were used before; and what memory all of
// it takes when nothing happens: npm run bench -- start [--tries N] [--idle-seconds N]
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { endProcess } from '../test/end-process.ts';
import { root } from './root.ts';
import { printMetric } from './speed/metrics.ts';
import { readOptions } from './speed/read-options.ts';
import { readTreeMemory } from './speed/tree-memory.ts';

const options = readOptions({ tries: 3, 'idle-seconds': 10 });
const BY_NPM = ['npm', 'run', '--silent', 'handover', '--'] as const;
/** The README names this way for those who wait. */
const DIRECTLY = [process.execPath, 'bin/handover'] as const;
const dataDir = await mkdtemp(join(tmpdir(), 'handover-bench-'));
const env = { ...process.env, DATA_DIR: dataDir, PORT: '0' };
try {
  await endProcess((await start()).child);
  const starts: number[] = [];
  const commands: number[] = [];
  const direct: number[] = [];
  for (let tried = 0; tried < options.tries; tried += 1) {
    const { child, seconds } = await start();
    starts.push(seconds);
    await runCommand(...BY_NPM);
    commands.push(await runCommand(...BY_NPM));
    direct.push(await runCommand(...DIRECTLY));
    if (tried + 1 === options.tries) await printMemory(child);
    await endProcess(child);
  }
  printMetric(`npm start until it listens, median of ${options.tries}`, median(starts), ' s', {
    atMost: 2.5,
  });
  printMetric(`a command by npm run, median of ${options.tries}`, median(commands), ' s', { atMost: 1 });
  printMetric(`a command by node bin/handover, median of ${options.tries}`, median(direct), ' s', {
    atMost: 1,
  });
} finally {
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

async function start(): Promise<{ readonly child: ChildProcess; readonly seconds: number }> {
  const began = performance.now();
  const child = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const line of createInterface(child.stdout)) {
    if (!/listening at http:/.test(line)) continue;
    child.stdout.resume();
    return { child, seconds: (performance.now() - began) / 1000 };
  }
  throw new Error('The server did not start.');
}

async function runCommand(program: string, ...words: readonly string[]): Promise<number> {
  const began = performance.now();
  await promisify(execFile)(program, [...words, 'secret', 'status', '--json'], { cwd: root, env });
  return (performance.now() - began) / 1000;
}

async function printMemory(child: ChildProcess): Promise<void> {
  await pause(options['idle-seconds'] * 1000);
  const [postmaster] = (await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n');
  const started = await readTreeMemory(child.pid ?? 0);
  const postgres = await readTreeMemory(Number(postmaster));
  printMetric('memory when idle, server and what started it', started, ' MB');
  printMetric('memory when idle, PostgreSQL', postgres, ' MB');
  printMetric('memory when idle', started + postgres, ' MB', { atMost: 200 });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
