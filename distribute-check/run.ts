// `npm run distribute-check`: `handover database distribute` on a real Citus. See docs/scale.md.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installDebianPackages } from '../test/debian-packages.ts';
import { isCitusInstalled } from './nodes.ts';

const NAMES = ['orders', 'stores'];

const root = fileURLToPath(new URL('..', import.meta.url));
const names = process.argv.slice(2);
const unknown = names.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(', ')}. Name one or more of ${NAMES.join(', ')}; without a name, all run.`,
  );
  process.exit(1);
}
if (process.platform !== 'linux' || process.getuid?.() !== 0) {
  console.error('npm run distribute-check needs root on Debian, to start three PostgreSQLs as their user.');
  process.exit(1);
}
installDebianPackages(['postgresql', 'faketime']);
if (!isCitusInstalled()) {
  console.error(
    'NOTHING WAS CHECKED: the newest PostgreSQL of this machine has no Citus. Install the package postgresql-…-citus-13.2 of citusdata.com, or build Citus 13.2 from its source with its pg_config, and run this again.',
  );
  process.exit(1);
}
const vitest = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--config',
  'distribute-check/vitest.config.ts',
  ...names,
];
process.exitCode = spawnSync(process.execPath, vitest, { cwd: root, stdio: 'inherit' }).status ?? 1;
