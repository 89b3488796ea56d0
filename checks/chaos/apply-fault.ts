import { setTimeout as pause } from 'node:timers/promises';
import type { TcpProxy } from '../../packages/simulation/src/network/tcp-proxy.ts';
import type { ChaosDatabase } from './database.ts';
import type { ChaosMailServer } from './mail-server.ts';
import type { Fault, ProgramName } from './plan-faults.ts';
import type { Program } from './programs.ts';
import type { Outage } from './tally.ts';

interface World {
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
  const { programs, database, proxy, mail } = world;
  const outages: Outage[] = [];
  const queues = new Map<string, Promise<void>>();
  const inTurn = (of: string, work: () => Promise<void>): Promise<void> => {
    const turn = (queues.get(of) ?? Promise.resolve()).then(work);
    queues.set(of, turn);
    return turn;
  };
  const during = async (program: ProgramName | null, work: () => Promise<void>): Promise<void> => {
    const from = performance.now();
    const outage = { program, from, to: Number.POSITIVE_INFINITY };
    outages.push(outage);
    await work();
    outage.to = performance.now();
  };

  return { outages, apply, complete };

  function apply(fault: Fault): Promise<void> {
    switch (fault.kind) {
      case 'kill':
      case 'freeze':
      case 'clock-jumps': {
        const program = programs.get(fault.program);
        if (!program) throw new Error(`There is no ${fault.program}.`);
        return inTurn(`${fault.kind} ${fault.program}`, () => applyToProgram(fault, program));
      }
      case 'database-stops':
        return inTurn('database', () => stopDatabase(fault.ms));
      case 'disk-full':
        return inTurn('database', () => fillDisk(fault.ms));
      case 'network':
        return inTurn('network', () => breakNetwork(fault));
      case 'mail-server':
        return inTurn('mail server', async () => {
          await mail.setMood(fault.mood);
          await pause(fault.ms);
          await mail.setMood(null);
        });
    }
  }

  async function applyToProgram(
    fault: Extract<Fault, { readonly program: ProgramName }>,
    program: Program,
  ): Promise<void> {
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

  async function stopDatabase(ms: number): Promise<void> {
    await during(null, async () => {
      await database.stopAtOnce();
      await pause(ms);
      await database.start();
    });
  }

  async function fillDisk(ms: number): Promise<void> {
    await during(null, async () => {
      await database.fillDisk();
      await pause(ms);
      await database.freeDisk();
      // Without room for its log it may have stopped.
      await database.start();
    });
  }

  async function breakNetwork({ how, ms }: Extract<Fault, { readonly kind: 'network' }>): Promise<void> {
    await during(null, async () => {
      if (how === 'reset' || how === 'close') proxy.cut(how);
      else if (how === 'lose-answer-of-commit') {
        const lost = proxy.failNext('lose-answer', (message) => message.includes('commit'));
        await Promise.race([lost, pause(ms)]);
        proxy.disarm();
      } else {
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
    });
  }

  async function complete(): Promise<void> {
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
}
