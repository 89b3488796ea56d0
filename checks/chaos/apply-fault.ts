import { setTimeout as pause } from 'node:timers/promises';
import type { TcpProxy } from '../../packages/simulation/src/network/tcp-proxy.ts';
import type { ChaosDatabase } from './database.ts';
import type { ChaosMailServer } from './mail-server.ts';
import type { Fault, ProgramName } from './plan-faults.ts';
import type { Program } from './programs.ts';
import type { Outage } from './tally.ts';

export interface World {
  readonly programs: ReadonlyMap<ProgramName, Program>;
  readonly database: ChaosDatabase;
  readonly proxy: TcpProxy;
  readonly mail: ChaosMailServer;
}

export interface FaultMaker {
  readonly outages: readonly Outage[];
  /** Resolves when the fault is over. Faults of one target wait for one another; others overlap. */
  apply(fault: Fault): Promise<void>;
  /** Makes sure that everything runs again. */
  complete(): Promise<void>;
}

export function createFaultMaker(world: World): FaultMaker {
  const outages: Outage[] = [];
  const queues = new Map<string, Promise<void>>();
  const during: During = async (program, work) => {
    const outage = { program, from: performance.now(), to: Number.POSITIVE_INFINITY };
    outages.push(outage);
    await work();
    outage.to = performance.now();
  };
  return {
    outages,
    apply: (fault) => {
      const target = targetOf(fault);
      const turn = (queues.get(target) ?? Promise.resolve()).then(() => applyFault(world, fault, during));
      queues.set(target, turn);
      return turn;
    },
    complete: () => complete(world),
  };
}

/** Does the work, and records it as an outage: of one program, or null of all. */
type During = (program: ProgramName | null, work: () => Promise<void>) => Promise<void>;

type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { readonly kind: Kind }>;

function targetOf(fault: Fault): string {
  if ('program' in fault) return `${fault.kind} ${fault.program}`;
  return fault.kind === 'disk-full' ? 'database-stops' : fault.kind;
}

async function applyFault(world: World, fault: Fault, during: During): Promise<void> {
  const { database, mail } = world;
  switch (fault.kind) {
    case 'kill':
    case 'freeze':
    case 'clock-jumps':
      return applyToProgram(world, fault, during);
    case 'database-stops':
      return during(null, async () => {
        await database.stopAtOnce();
        await pause(fault.ms);
        await database.start();
      });
    case 'disk-full':
      return during(null, async () => {
        await database.fillDisk();
        await pause(fault.ms);
        await database.freeDisk();
        // Without room for its log it may have stopped.
        await database.start();
      });
    case 'network':
      return during(null, () => breakNetwork(world, fault));
    case 'mail-server':
      await mail.setMood(fault.mood);
      await pause(fault.ms);
      await mail.setMood(null);
  }
}

async function applyToProgram(
  { programs }: World,
  fault: FaultOf<'kill' | 'freeze' | 'clock-jumps'>,
  during: During,
): Promise<void> {
  const program = programs.get(fault.program);
  if (!program) throw new Error(`There is no ${fault.program}.`);
  if (fault.kind === 'clock-jumps') {
    program.setClock(fault.aheadMs);
    await pause(fault.ms);
    program.setClock(0);
  } else if (fault.kind === 'kill') {
    await during(program.name, () => program.kill());
    await pause(fault.ms);
    await program.start();
  } else {
    await during(program.name, async () => {
      program.freeze();
      await pause(fault.ms);
      program.thaw();
    });
  }
}

async function breakNetwork({ proxy }: World, { how, ms }: FaultOf<'network'>): Promise<void> {
  if (how === 'reset' || how === 'close') {
    proxy.cut(how);
    return;
  }
  if (how === 'lose-answer-of-commit') {
    const lost = proxy.failNext('lose-answer', (message) => message.includes('commit'));
    await Promise.race([lost, pause(ms)]);
    proxy.disarm();
    return;
  }
  if (how === 'refuse') {
    await proxy.refuse();
    proxy.cut('reset');
  } else {
    proxy.stall('to-server');
    proxy.stall('to-client');
  }
  await pause(ms);
  await proxy.heal();
}

async function complete({ programs, database, proxy, mail }: World): Promise<void> {
  await mail.setMood(null);
  await proxy.heal();
  await database.freeDisk();
  await database.start();
  for (const program of programs.values()) {
    program.thaw();
    program.setClock(0);
  }
  while ([...programs.values()].some((program) => !program.isReady())) await pause(50);
}
