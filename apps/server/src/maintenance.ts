import { acquireLease, type Database } from '@handover/adapters-postgres';
import type {
  Clock,
  FileStore,
  Maintenance,
  Prunable,
  RejectedDeliveries,
  StoredContents,
} from '@handover/domain';
import { pruneOld, REJECTED_LIFETIME_MS, removeOldBodies, removeOldContents } from '@handover/domain';
import type { Logger } from 'pino';
import type { Settings } from './settings/settings.ts';

/** A periodic task that one process runs for all. It must be idempotent. */
export interface Sweep {
  readonly name: string;
  /** Returns what it found, by name; zeros are not logged. */
  run(): Promise<Readonly<Record<string, number>>>;
}

/** The list of all sweeps. Add a new one here. */
export function listSweeps(
  ports: {
    readonly clock: Clock;
    readonly contents: Pick<StoredContents, 'claim' | 'forget'>;
    readonly files: Pick<FileStore, 'remove'>;
    readonly maintenance: Maintenance;
    readonly rejected: RejectedDeliveries;
  },
  {
    bodyRetentionDays,
    fileRetentionDays,
    retentionDays,
  }: Pick<Settings, 'bodyRetentionDays' | 'fileRetentionDays' | 'retentionDays'>,
): readonly Sweep[] {
  const { clock, maintenance, rejected } = ports;
  const prune = (what: Prunable, keepDays: number | null, name: string): readonly Sweep[] =>
    keepDays === null ? [] : [{ name, run: async () => ({ [what]: await pruneOld(ports, what, keepDays) }) }];
  const { logEntries, downloads, activity, idempotencyKeys, proofs, signIns } = retentionDays;
  return [
    {
      name: 'weeks of bodies made or dropped',
      run: () =>
        maintenance.rotateBodies(clock.now(), new Date(clock.now().getTime() - bodyRetentionDays * DAY_MS)),
    },
    {
      name: 'old bodies removed',
      run: async () => ({ bodies: await removeOldBodies(ports, bodyRetentionDays) }),
    },
    {
      name: 'old rejected requests forgotten',
      run: async () => {
        const before = new Date(clock.now().getTime() - REJECTED_LIFETIME_MS);
        return { requests: await rejected.sweep(before) };
      },
    },
    ...prune('logEntries', logEntries, 'old entries of the webhook log removed'),
    ...prune('downloads', downloads, 'old download sessions removed'),
    ...prune('activity', activity, 'old activity removed'),
    ...prune('idempotencyKeys', idempotencyKeys, 'old idempotency keys removed'),
    ...prune('proofs', proofs, 'old proofs of origin removed'),
    ...prune('signIns', signIns, 'old sign-ins and sessions removed'),
    // These have no setting: a count of mails matters for its hour, a throttle for its window.
    ...prune('mailCounts', 1, 'old counts of mails removed'),
    ...prune('throttles', 0, 'old throttles removed'),
    {
      name: 'contents of removed files removed',
      run: async () => ({ contents: await removeOldContents(ports, fileRetentionDays) }),
    },
  ];
}

const DAY_MS = 24 * 60 * 60 * 1000;

const EVERY_MS = 60_000;
const TURN = {
  name: 'maintenance',
  /** Counts from the end of a turn, so a whole minute would not be over at the next look of the same process. */
  everyMs: EVERY_MS / 2,
  leaseMs: 15_000,
  /** Each sweep is bounded, so that all of them take seconds. */
  withinMs: 10 * 60_000,
};

export interface RunningMaintenance {
  /** Resolves once the running sweep is done. */
  stop(): Promise<void>;
}

/** Runs the sweeps now, and then every minute, in the process that acquires the lease first. */
export function startMaintenance({
  database,
  sweeps,
  log,
}: {
  readonly database: Pick<Database, 'db'>;
  readonly sweeps: readonly Sweep[];
  readonly log: Logger;
}): RunningMaintenance {
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
    running ??= acquireLease(database, TURN, sweep)
      .catch((err) => log.warn({ err }, 'the maintenance could not look whose turn it is'))
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
