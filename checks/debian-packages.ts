import { spawnSync } from 'node:child_process';

/** Installs what is missing with apt, or says that it cannot, and ends the program. */
export function installDebianPackages(names: readonly string[]): void {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  console.error(`Installing ${missing.join(', ')} with apt …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...words: readonly string[]) =>
    spawnSync('apt-get', words, { stdio: ['ignore', 2, 2], env }).status;
  if (apt('install', '--yes', '--no-install-recommends', ...missing) === 0) return;
  if (apt('update') === 0 && apt('install', '--yes', '--no-install-recommends', ...missing) === 0) return;
  console.error(
    `These Debian packages are needed and could not be installed with apt: ${missing.join(', ')}.`,
  );
  process.exit(1);
}

function isInstalled(name: string): boolean {
  const { stdout } = spawnSync('dpkg', ['--status', name], { encoding: 'utf8' });
  return stdout.includes('Status: install ok installed');
}
