// `npm run failover -- NAME`: what Handover does while a part of it is away, with real parts. See docs/failover.md.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installDebianPackages } from '../test/debian-packages.ts';

const NAMES = ['pgbouncer', 'standby', 'haproxy', 'files', 'mail'];

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
  console.error(
    'npm run failover needs root on Debian, to install PostgreSQL, pgbouncer, HAProxy and faketime with apt.',
  );
  process.exit(1);
}
installDebianPackages(['postgresql', 'pgbouncer', 'haproxy', 'faketime']);
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'failover/vitest.config.ts', ...names];
process.exitCode = spawnSync(process.execPath, vitest, { cwd: root, stdio: 'inherit' }).status ?? 1;
