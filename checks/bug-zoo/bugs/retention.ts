import type { Bug } from '../bug.ts';

const STORES = ['packages/adapters-postgres/test/stores.db.test.ts'];
const WEEKS = ['packages/adapters-postgres/test/drop-body-weeks.db.test.ts'];
const ERASING = ['packages/adapters-postgres/test/erase-customer.db.test.ts'];
const FOLDER = 'packages/adapters-postgres/src/stores';

/** What is forgotten when it is old, and what is not. */
export const RETENTION_BUGS: readonly Bug[] = [
  {
    name: 'week-is-dropped-before-it-is-over',
    rule: 'A week of bodies is dropped only once all of it is older than the setting.',
    file: `${FOLDER}/writes/maintenance/body-weeks.ts`,
    find: 'return endId <= firstIdAt(before);',
    replace: 'return endId <= firstIdAt(new Date(before.getTime() + 1));',
    seenBy: WEEKS,
  },
  {
    name: 'drop-of-a-week-waits-without-a-limit',
    rule: 'While a week cannot be dropped, webhooks wait for a moment only.',
    file: `${FOLDER}/writes/maintenance/body-weeks.ts`,
    find: '    await limitWaits(trx);\n    await sql`lock table only',
    replace: '    await sql`lock table only',
    seenBy: WEEKS,
  },
  {
    name: 'body-under-an-old-id-goes-with-its-week',
    rule: 'A body that came in lately stays, though the clock that made its id was behind.',
    file: `${FOLDER}/writes/maintenance/body-nodes.ts`,
    find: 'where received_at >= ${before}',
    replace: 'where received_at > ${before} and false',
    seenBy: WEEKS,
  },
  {
    name: 'held-body-goes-with-its-week',
    rule: 'A week is dropped without the bodies of held entries.',
    file: `${FOLDER}/writes/maintenance/body-nodes.ts`,
    find: "where org_id = organisation.id and status in ('pending', 'held')",
    replace: "where org_id = organisation.id and status = 'pending'",
    seenBy: WEEKS,
  },
  {
    name: 'proof-goes-while-it-verifies',
    rule: 'A proof is kept for as long as a replay of it would verify.',
    file: `${FOLDER}/writes/maintenance/prune.ts`,
    find: 'first_seen_at < least(${before}::timestamptz, verifying.oldest)',
    replace: 'first_seen_at < ${before}::timestamptz',
    seenBy: STORES,
    tests: 'proofs',
  },
  {
    name: 'held-entry-is-pruned',
    rule: 'An entry that is held stays in the log, however old it is.',
    file: `${FOLDER}/writes/maintenance/prune.ts`,
    find: "and status not in ('pending', 'held')",
    replace: "and status <> 'pending'",
    seenBy: STORES,
    tests: 'old entries',
  },
  {
    name: 'dismissal-goes-with-an-earlier-entry',
    rule: 'An order that was dismissed stays dismissed while an entry of it is left that was seen then.',
    file: `${FOLDER}/writes/maintenance/prune.ts`,
    find: 'gone.seen_at < ${before} and ',
    replace: '',
    seenBy: STORES,
    tests: 'old entries',
  },
  {
    name: 'dismissal-outlives-its-entry',
    rule: 'What says that an order needs nothing is removed with the last entry of the order.',
    file: `${FOLDER}/writes/maintenance/prune.ts`,
    find: "gone.subject like 'order %' or ",
    replace: '',
    seenBy: STORES,
    tests: 'old entries',
  },
  {
    name: 'maintenance-misses-every-second-minute',
    rule: 'A process alone does the maintenance every minute.',
    file: 'apps/server/src/maintenance.ts',
    find: 'everyMs: EVERY_MS / 2,',
    replace: 'everyMs: EVERY_MS,',
    seenBy: ['apps/server/test/maintenance.db.test.ts'],
  },
  {
    name: 'erasing-leaves-plans-that-name-the-buyer',
    rule: 'An order that comes while its buyer is erased is of a new customer.',
    file: `${FOLDER}/writes/purchases/erase-customer.ts`,
    find: '    await moveRevision(trx, orgId);\n',
    replace: '',
    seenBy: ERASING,
  },
  {
    name: 'erasing-keeps-the-requests',
    rule: 'No row of any table tells of an erased buyer.',
    file: `${FOLDER}/writes/purchases/forget-buyer.ts`,
    find: 'delete from delivery_bodies where org_id = ${orgId} and id = any(${bodyIds}::uuid[])',
    replace: 'delete from delivery_bodies where org_id = ${orgId} and id = any(${deliveryIds}::uuid[])',
    seenBy: ERASING,
  },
  {
    name: 'erasing-takes-a-former-customer-with-other-purchases',
    rule: 'Erasing a buyer spares a former customer of the purchases who bought something else.',
    file: `${FOLDER}/writes/purchases/erase-customer.ts`,
    find: 'own.customer_id = link.customer_id',
    replace: 'own.customer_id is null',
    seenBy: STORES,
    tests: 'erasing a buyer',
  },
];
