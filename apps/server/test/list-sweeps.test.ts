import { type ContentsTurn, type Maintenance, REJECTED_LIFETIME_MS } from '@handover/domain';
import { createManualClock } from '@handover/testkit';
import { expect, it } from 'vitest';
import { listSweeps } from '../src/maintenance.ts';

const DAY = 24 * 60 * 60 * 1000;

const KEPT = { downloads: 400, activity: 500, idempotencyKeys: 30, proofs: 31, signIns: 7 };

/** The retention of each kind, in days, as the sweeps asked for it. */
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
  const contents = {
    claim: async ({ now, dueAt }: ContentsTurn) => {
      kept.files = (dueAt.getTime() - now.getTime()) / DAY;
      return { count: 0, unreferenced: [] };
    },
    forget: async () => {},
  };
  const files = { remove: async () => {} };
  const rejected = { sweep } as unknown as Parameters<typeof listSweeps>[0]['rejected'];
  const settings = { bodyRetentionDays: 180, fileRetentionDays: 31, retentionDays: { ...KEPT, logEntries } };
  for (const { run } of listSweeps({ clock, contents, files, maintenance, rejected }, settings)) await run();
  return kept;
}

const ALWAYS = {
  ...KEPT,
  weeks: 180,
  bodies: 180,
  files: 31,
  rejected: REJECTED_LIFETIME_MS / DAY,
  mailCounts: 1,
  throttles: 0,
};

it('deletes each kind after the days of its setting', async () => {
  expect(await runSweeps(200)).toEqual({ ...ALWAYS, logEntries: 200 });
});

it('never deletes a kind without a setting', async () => {
  expect(await runSweeps(null)).toEqual(ALWAYS);
});
