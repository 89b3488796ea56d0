import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installDebianPackages } from './debian-packages.ts';

/** Checks that start servers of Debian, each a file `NAME.check.ts` of the folder. */
interface DebianChecks {
  readonly command: string;
  readonly folder: string;
  readonly names: readonly string[];
  readonly packages: readonly string[];
  /** Why it needs root. */
  readonly needsRoot: string;
  /** What is missing that no package of Debian brings; null: nothing. */
  readonly findMissing?: () => string | null;
}

/** Runs the checks that the command names, or all, as the process's exit code says. */
export function runOnDebian({
  command,
  folder,
  names,
  packages,
  needsRoot,
  findMissing,
}: DebianChecks): void {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    refuse(
      `There is no ${unknown.join(', ')}. Name one or more of ${names.join(', ')}; without a name, all run.`,
    );
  }
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    refuse(`npm run ${command} needs root on Debian, to ${needsRoot}.`);
  }
  installDebianPackages(packages);
  const missing = findMissing?.() ?? null;
  if (missing !== null) refuse(missing);
  const files = (wanted.length > 0 ? wanted : names).map((name) => `checks/${folder}/${name}.check.ts`);
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'checks/vitest.config.ts', ...files];
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  process.exitCode = spawnSync(process.execPath, vitest, { cwd, stdio: 'inherit' }).status ?? 1;
}

function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
