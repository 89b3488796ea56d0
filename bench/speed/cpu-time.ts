import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { printNote } from './metrics.ts';
import type { World } from './open-world.ts';
import { readStat, readStats } from './read-stat.ts';

/** In milliseconds, since they were started. */
export interface CpuTime {
  /** Of all its processes. */
  readonly server: number;
  /** The server's thread that runs JavaScript: it cannot use more than one core. */
  readonly eventLoop: number;
  readonly postgres: number;
  /** The process that sends the requests. */
  readonly client: number;
  /** The process that accepts the mails. */
  readonly mailServer: number;
}

const MS_PER_TICK = 10;
const NS_PER_MS = 1_000_000;

/** The CPU time of a run: on a shared machine this says more than its duration. */
export async function readCpuTime({ server, pids, directory, mail }: World): Promise<CpuTime> {
  const { pid } = server();
  const schedule = await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').catch(() => '');
  const client = process.cpuUsage();
  return {
    server: (await Promise.all(pids().map(readWithEnded))).reduce((sum, time) => sum + time, 0),
    eventLoop: Number(schedule.split(' ')[0]) / NS_PER_MS,
    postgres: await readPostgres(join(directory, 'postgres')),
    client: (client.user + client.system) / 1000,
    mailServer: await readWithEnded(mail.pid),
  };
}

/** @param of what used the time, `count` times. */
export async function printCpuTime(world: World, before: CpuTime, count: number, of: string): Promise<void> {
  const after = await readCpuTime(world);
  // Only Linux provides this.
  if (after.server === 0) return;
  const each = (part: keyof CpuTime) => ((after[part] - before[part]) / count).toFixed(2);
  printNote(
    `CPU time for each of ${count} ${of}: server ${each('server')} ms (event loop ${each('eventLoop')}), ` +
      `PostgreSQL ${each('postgres')}, client ${each('client')}, mail server ${each('mailServer')}`,
  );
}

/** Of all its processes; the postmaster includes those that ended. */
async function readPostgres(directory: string): Promise<number> {
  const [pid = ''] = (await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8')).split('\n');
  const children = (await readStats().catch(() => [])).filter(({ parent }) => parent === Number(pid));
  return children.reduce((sum, { stat }) => sum + sumTicks(stat), await readWithEnded(Number(pid)));
}

async function readWithEnded(pid: number): Promise<number> {
  return sumTicks(await readStat(pid));
}

/** User and system time, of the process and of its children that have ended. */
function sumTicks(stat: readonly string[]): number {
  return stat.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * MS_PER_TICK, 0);
}
