import { type Maintenance, REJECTED_LIFETIME_MS } from '@handover/domain';
import { createManualClock } from '@handover/testkit';
import { expect, it } from 'vitest';
import { listSweeps } from '../src/maintenance.ts';

const DAY = 24 * 60 * 60 * 1000;

const KEPT = { downloads: 400, activity: 500, idempotencyKeys: 30, proofs: 31, signIns: 7 };

/** For how many days each thing was kept, by what the sweeps asked for. */
async function runSweeps(logEntries: number | null): Promise<Readonly<Record<string, number>>> {
  const clock = createManualClock();
  const kept: Record<string, number> = {};
  const note = (what: string, before: Date) => {
    kept[what] = (clock.now().getTime() - before.getTime()) / DAY;
  };
  const maintenance: Maintenance = {
    rotateBodies: async (_now, before) => {
      note('weeks', before);
      return { made: 0, dropped: 0 };
    },
    removeBodies: async (before) => {
      note('bodies', before);
      return 0;
    },
    prune: async (what, before) => {
      note(what, before);
      return 0;
    },
  };
  const sweep = async (before: Date) => {
    note('rejected', before);
    return 0;
  };
  const rejected = { sweep } as unknown as Parameters<typeof listSweeps>[0]['rejected'];
  const settings = { bodyRetentionDays: 180, retentionDays: { ...KEPT, logEntries } };
  for (const { run } of listSweeps({ clock, maintenance, rejected }, settings)) await run();
  return kept;
}

const ALWAYS = {
  ...KEPT,
  weeks: 180,
  bodies: 180,
  rejected: REJECTED_LIFETIME_MS / DAY,
  mailCounts: 1,
  throttles: 0,
};

it('removes each thing after as many days as its setting says', async () => {
  expect(await runSweeps(200)).toEqual({ ...ALWAYS, logEntries: 200 });
});

it('never removes what has no setting', async () => {
  expect(await runSweeps(null)).toEqual(ALWAYS);
});
