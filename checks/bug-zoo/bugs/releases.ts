import type { Bug } from '../bug.ts';

const FILE = 'packages/adapters-postgres/src/stores/writes/fulfilment/releases.ts';
const STORES = ['packages/adapters-postgres/test/stores.db.test.ts'];
const RELEASES = ['packages/adapters-postgres/test/releases.db.test.ts'];

/** What releases thousands of entries, page by page. */
export const RELEASE_BUGS: readonly Bug[] = [
  {
    name: 'release-written-down-again-goes-on-where-it-was',
    rule: 'A release that is written down again begins anew, for what it has passed may be open again.',
    file: FILE,
    find: 'do update set after_entry = default',
    replace: 'do nothing',
    seenBy: STORES,
    tests: 'begins anew',
  },
  {
    name: 'release-is-new-for-everyone',
    rule: 'Of two calls that release the orders of a product at once, one writes an entry in the activity log.',
    file: FILE,
    find: 'const isNew = numAffectedRows === 1n;',
    replace: 'const isNew = numAffectedRows >= 0n;',
    seenBy: RELEASES,
    tests: 'deliver a draft at once',
  },
  {
    name: 'release-forgets-its-place',
    rule: 'How far a release has come is noted with the jobs of its page, so that none is repeated after a crash.',
    file: FILE,
    find: 'update releases set after_entry = ${reached}',
    replace: 'update releases set after_entry = ${after}',
    seenBy: STORES,
    tests: 'page by page',
  },
  {
    name: 'entries-that-cannot-run-end-a-release',
    rule: 'A page of entries that cannot be run is not the last page.',
    file: FILE,
    find: 'rows.length === limit',
    replace: 'due.length === limit',
    seenBy: STORES,
    tests: 'however many fill a page',
  },
  {
    name: 'release-is-counted-behind-the-lock',
    rule: 'What is held is counted before the catalogue is locked.',
    file: 'packages/adapters-postgres/src/stores/writes/access/organisations.ts',
    find: '    // Counted before',
    replace: '    await moveRevision(trx, change.orgId);\n    // Counted before',
    seenBy: RELEASES,
    tests: 'is written down',
  },
  {
    name: 'release-goes-on-before-its-entries',
    rule: 'The next page of a release follows when the jobs of the one before it were taken.',
    file: 'packages/adapters-postgres/src/jobs/job-outbox.ts',
    find: "if (job.kind === 'resolve-delivery' || job.kind === 'release-entries') return 'reruns';",
    replace:
      "if (job.kind === 'resolve-delivery') return 'reruns';\n  if (job.kind === 'release-entries') return 'orders';",
    seenBy: RELEASES,
    tests: 'keeps the queue short',
  },
  {
    name: 'release-ends-after-a-page',
    rule: 'A release goes on until every entry was queued.',
    file: 'packages/domain/src/fulfilment/release.ts',
    find: "return state === 'over' ? 'done' : { again: at };",
    replace: "return state ? 'done' : { again: at };",
    seenBy: ['packages/domain/test/run-job.test.ts'],
  },
];
