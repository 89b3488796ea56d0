import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const INSTRUMENTER = '@stryker-mutator/instrumenter';
const VERSION = '10.1.1';

/** One change of the code. Lines and columns count from zero. */
export interface Mutant {
  readonly id: string;
  /** The whole path. */
  readonly fileName: string;
  readonly replacement: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** What of the instrumenter is used. */
interface Instrumenter {
  instrument(
    files: readonly { readonly name: string; readonly mutate: boolean; readonly content: string }[],
    options: object,
  ): Promise<{
    readonly files: readonly { readonly name: string; readonly content: string }[];
    readonly mutants: readonly Mutant[];
  }>;
}

/**
 * Writes every mutant of these files into them, each behind a switch, and returns them with the sources by path.
 *
 * @param cache where the instrumenter is kept: it is too large to be part of everyone's installation.
 */
export async function instrument(directory: string, patterns: readonly string[], cache: string) {
  const paths = globSync([...patterns], { cwd: directory });
  const files = await Promise.all(
    paths.map(async (path) => {
      const name = join(directory, path);
      return { path, name, mutate: true, content: await readFile(name, 'utf8') };
    }),
  );
  const { instrument } = await loadInstrumenter(cache);
  const { files: instrumented, mutants } = await instrument(files, {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  });
  for (const { name, content } of instrumented) await writeFile(name, content);
  const sources = Object.fromEntries(files.map(({ path, content }) => [path, content]));
  return { mutants, sources };
}

async function loadInstrumenter(cache: string): Promise<Instrumenter> {
  const place = join(cache, `instrumenter-${VERSION}`);
  const main = join(place, 'node_modules', INSTRUMENTER, 'dist/src/index.js');
  if (!existsSync(main)) {
    const options = ['--prefix', place, '--no-save', '--no-package-lock', '--no-audit', '--no-fund'];
    execFileSync('npm', ['install', ...options, `${INSTRUMENTER}@${VERSION}`], { stdio: 'inherit' });
  }
  const { Instrumenter } = await import(main);
  const silent = () => {};
  const instrumenter = new Instrumenter({
    debug: silent,
    info: silent,
    warn: console.warn,
    isDebugEnabled: () => false,
  });
  return { instrument: (files, options) => instrumenter.instrument(files, options) };
}
