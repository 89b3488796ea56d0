import { type Database, takeTurn } from '@handover/adapters-postgres';
import type { Clock, RejectedDeliveries, Upkeep } from '@handover/domain';
import { REJECTED_LIFETIME_MS, removeOldBodies } from '@handover/domain';
import type { Logger } from 'pino';

/** One thing that is done now and then, for all processes by one of them. It must bear being done twice. */
export interface Sweep {
  readonly name: string;
  /** Answers with what it found, by name; what is 0 is not worth a line in the log. */
  run(): Promise<Readonly<Record<string, number>>>;
}

/** Every sweep there is. To add one, add it here. */
export function listSweeps(
  ports: { readonly clock: Clock; readonly upkeep: Upkeep; readonly rejected: RejectedDeliveries },
  { bodyRetentionDays }: { readonly bodyRetentionDays: number },
): readonly Sweep[] {
  return [
    {
      name: 'old bodies removed',
      run: async () => ({ bodies: await removeOldBodies(ports, bodyRetentionDays) }),
    },
    {
      name: 'old rejected requests forgotten',
      run: async () => {
        const before = new Date(ports.clock.now().getTime() - REJECTED_LIFETIME_MS);
        return { requests: await ports.rejected.sweep(before) };
      },
    },
  ];
}

const EVERY_MS = 60_000;
const TURN = {
  name: 'upkeep',
  everyMs: EVERY_MS,
  leaseMs: 15_000,
  /** Each sweep is bounded, so that all of them take seconds. */
  withinMs: 10 * 60_000,
};

export interface RunningUpkeep {
  /** Resolves once the sweep that runs is done. */
  stop(): Promise<void>;
}

/** Runs the sweeps at once, and then every minute, in whichever process is first to look. */
export function startUpkeep({
  database,
  sweeps,
  log,
}: {
  readonly database: Pick<Database, 'db'>;
  readonly sweeps: readonly Sweep[];
  readonly log: Logger;
}): RunningUpkeep {
  let isStopping = false;
  let running: Promise<void> | null = null;
  const sweep = async (): Promise<void> => {
    for (const { name, run } of sweeps) {
      if (isStopping) return;
      try {
        const found = await run();
        if (Object.values(found).some((count) => count > 0)) log.info(found, name);
      } catch (err) {
        log.error({ err, sweep: name }, 'a sweep failed; it is done again at the next turn');
      }
    }
  };
  const look = (): void => {
    running ??= takeTurn(database, TURN, sweep)
      .catch((err) => log.warn({ err }, 'the upkeep could not look whose turn it is'))
      .then(() => {
        running = null;
      });
  };
  look();
  const timer = setInterval(look, EVERY_MS);
  return {
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      await running;
    },
  };
}
