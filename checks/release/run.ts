// `npm run test-release`: installs a release as docs/install.md says, on this machine's Debian, in namespaces of its own:
// what it writes, starts and listens to is gone afterwards, and there is no network beyond loopback.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDebianPackages } from '../debian-packages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
if (process.getuid?.() !== 0 || !existsSync('/usr/bin/unshare')) {
  console.error('npm run test-release needs root on Linux, because it installs the service as root does.');
  process.exit(1);
}
installDebianPackages(['postgresql', 'nginx', 'openssl', 'iproute2', 'caddy']);

const place = mkdtempSync(join(tmpdir(), 'handover-test-release-'));
try {
  const [release, again] = ['made', 'again'].map(makeRelease);
  if (!release || !again || !readFileSync(release).equals(readFileSync(again))) {
    throw new Error('Two builds of one commit differ.');
  }
  console.log(`Two builds gave the same bytes: ${release}`);
  // Each in namespaces of its own: both install into the same places.
  const names = process.argv.length > 2 ? process.argv.slice(2) : ['install', 'containers'];
  const statuses = names.map((name) => runInNamespaces(name, release));
  process.exitCode = Math.max(...statuses);
} finally {
  rmSync(place, { recursive: true, force: true });
}

function makeRelease(name: string): string {
  const words = ['scripts/release.ts', '--out', join(place, name)];
  return execFileSync(process.execPath, words, { cwd: root, encoding: 'utf8' }).trim();
}

function runInNamespaces(name: string, release: string): number {
  const file = `checks/release/${name}.check.ts`;
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'checks/vitest.config.ts', file];
  const namespaces = ['--mount', '--net', '--pid', '--uts', '--fork', '--mount-proc', '--kill-child'];
  const enter = ['bash', join(root, 'checks/release/enter.sh'), process.execPath];
  const { status } = spawnSync('unshare', [...namespaces, '--', ...enter, ...vitest], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, HANDOVER_RELEASE: release },
  });
  return status ?? 1;
}
