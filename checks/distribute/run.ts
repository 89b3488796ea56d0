// `npm run distribute-check`: `handover database distribute` on a real Citus. See docs/scale.md.
import { runOnDebian } from '../run-on-debian.ts';
import { isCitusInstalled } from './nodes.ts';

const NO_CITUS =
  'NOTHING WAS CHECKED: the newest PostgreSQL of this machine has no Citus. Install the package postgresql-…-citus-13.2 of citusdata.com, or build Citus 13.2 from its source with its pg_config, and run this again.';

runOnDebian({
  command: 'distribute-check',
  folder: 'distribute',
  names: ['migrate', 'orders', 'races', 'stores'],
  packages: ['postgresql', 'faketime'],
  needsRoot: 'start three PostgreSQLs as their user',
  findMissing: () => (isCitusInstalled() ? null : NO_CITUS),
});
