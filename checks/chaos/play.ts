import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chooseSettings } from '../../bench/speed/open-world.ts';
import { type UndoAtEnd, undoAtEnd } from '../../bench/speed/undo-at-end.ts';
import { migrate } from '../../packages/adapters-postgres/src/index.ts';
import { startTcpProxy } from '../../packages/simulation/src/network/tcp-proxy.ts';
import { createFaultMaker, type FaultMaker, type World } from './apply-fault.ts';
import { startDatabase } from './database.ts';
import { type Load, type LoadCounts, startLoad } from './load.ts';
import { type ChaosMailServer, startMailServer } from './mail-server.ts';
import { readOutcome, untilComplete } from './outcome.ts';
import { describeFault, PROGRAMS, type ProgramName, planFaults } from './plan-faults.ts';
import { openProgram, type Program } from './programs.ts';
import { openShop } from './shop.ts';
import { type Metrics, tally } from './tally.ts';

export interface ChaosOptions {
  readonly seed: number;
  readonly faults: number;
  readonly longestFreezeMs: number;
  /** Whether a small file system may be mounted for the database, to fill it. */
  readonly mayMount: boolean;
  readonly salesPerSecond: number;
  readonly completeWithinMs: number;
  readonly say: (line: string) => void;
}

export interface ChaosReport extends Metrics, LoadCounts {
  readonly faults: Readonly<Record<string, number>>;
  readonly endedByThemselves: number;
  /** From the end of the last fault and the last retry of a platform; null: not within the limit. */
  readonly completeAfterMs: number | null;
  /** What was not complete, if anything. */
  readonly incomplete: string | null;
  /** Where the logs are; they are deleted after a successful run. */
  readonly directory: string;
}

const MEETS_WORK_WITHIN_MS = 10_000;

/** Two web servers, two workers, a database, a mail server, shops on six platforms, and every fault. */
export async function playChaos(options: ChaosOptions, undo = undoAtEnd()): Promise<ChaosReport> {
  try {
    return await play(options, undo);
  } finally {
    await undo.all();
  }
}

async function play(options: ChaosOptions, undo: UndoAtEnd): Promise<ChaosReport> {
  const { seed, salesPerSecond, longestFreezeMs, say } = options;
  const directory = await mkdtemp(join(tmpdir(), `handover-chaos-${process.pid}-`));
  let wasWell = false;
  undo.later(async () => {
    if (wasWell) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  const world = await openWorld(directory, options, undo);
  const { programs, database, mail } = world;
  const urls = () => [...programs.values()].flatMap((program) => program.url() ?? []);
  const shops = [];
  for (const name of ['lumen', 'felt']) {
    const environment = environmentOf(directory, 'web-1', database.url, mail);
    shops.push(await openShop(environment, urls()[0] ?? '', name));
  }
  const load = startLoad({ seed, shops, urls, salesPerSecond });
  undo.later(async () => void load.finish());

  const planned = planFaults(seed, options.faults, { longestFreezeMs, canFillDisk: database.disk !== null });
  const maker = createFaultMaker(world);
  const faults = await applyAll(planned, maker, load, say);
  await maker.complete();
  await load.finish();
  const { completeAfterMs, incomplete } = await untilComplete(database.url, options.completeWithinMs);
  const metrics = tally({
    acknowledged: load.acknowledged.values(),
    copies: mail.copies,
    outages: maker.outages,
    ...(await readOutcome(database.url)),
  });
  const endedByThemselves = [...programs.values()].reduce((sum, program) => sum + program.endedByItself(), 0);
  const ends = { endedByThemselves, completeAfterMs, incomplete };
  const report = { ...metrics, ...load.counts(), faults, ...ends, directory };
  wasWell = isWell(report);
  return report;
}

async function openWorld(
  directory: string,
  { mayMount, say }: ChaosOptions,
  undo: UndoAtEnd,
): Promise<World> {
  const database = await undo.opened(startDatabase(directory, mayMount), ({ close }) => close());
  if (database.disk !== null) say(`The database lies on ${database.disk}, which can be filled.`);
  else say('No disk is filled: a small file system can be mounted on Linux by root alone, and was not.');
  await migrate(database.url);
  const proxy = await undo.opened(startTcpProxy(database.url), ({ close }) => close());
  const mail = await undo.opened(startMailServer(PROGRAMS), ({ close }) => close());
  const programs = new Map<ProgramName, Program>();
  undo.later(() => Promise.all([...programs.values()].map((program) => program.kill())));
  for (const name of PROGRAMS) {
    await mkdir(join(directory, name));
    const environment = environmentOf(directory, name, proxy.url, mail);
    programs.set(name, await openProgram(name, directory, environment));
  }
  await Promise.all([...programs.values()].map((program) => program.start()));
  return { programs, database, proxy, mail };
}

function environmentOf(
  directory: string,
  name: ProgramName,
  databaseUrl: string,
  mail: ChaosMailServer,
): Readonly<Record<string, string>> {
  const role = name.startsWith('web') ? 'web' : 'worker';
  return { ...chooseSettings(directory, name, databaseUrl, mail.url(name)), ROLE: role };
}

/** Resolves when all faults are over. Returns how many there were of each kind. */
async function applyAll(
  planned: ReturnType<typeof planFaults>,
  maker: FaultMaker,
  load: Load,
  say: (line: string) => void,
): Promise<Readonly<Record<string, number>>> {
  const running: Promise<void>[] = [];
  const counts: Record<string, number> = {};
  for (const [at, { fault, pauseMs }] of planned.entries()) {
    const { sales, unanswered, refused, unsent } = load.counts();
    say(
      `fault ${at + 1} of ${planned.length}, at ${(performance.now() / 1000).toFixed(1)} s: ${describeFault(fault)}  ` +
        `[${sales} sales, ${load.acknowledged.size} acknowledged, failed: ${JSON.stringify({ ...unanswered, ...refused, unsent })}]`,
    );
    counts[fault.kind] = (counts[fault.kind] ?? 0) + 1;
    const before = load.acknowledged.size;
    running.push(maker.apply(fault));
    await pause(pauseMs);
    // Each fault should meet some work, also on a slow machine.
    const until = performance.now() + MEETS_WORK_WITHIN_MS;
    while (load.acknowledged.size === before && performance.now() < until) await pause(50);
  }
  say('No more faults: waiting for the last ones to end, and for the platforms to retry.');
  await Promise.all(running);
  return counts;
}

/** Nothing lost, nothing duplicated, everything complete, and no program that ended unexpectedly. */
export function isWell(report: ChaosReport): boolean {
  return (
    report.lost.length === 0 &&
    report.boughtTwice.length === 0 &&
    report.mailedTwice.length === 0 &&
    report.endedByThemselves === 0 &&
    report.completeAfterMs !== null
  );
}
