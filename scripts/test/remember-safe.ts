import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SafePatterns {
  /** `/source/flags` of each. */
  readonly patterns: readonly string[];
  add(pattern: string): void;
  save(): void;
}

const { version } = createRequire(import.meta.url)('recheck/package.json') as { readonly version: string };
const place = fileURLToPath(
  new URL(`../../node_modules/.cache/safe-regular-expressions-${version}.json`, import.meta.url),
);

/** The patterns that this version of recheck proved safe on this machine, beside what else npm's packages leave there. */
export function rememberSafe(file = place): SafePatterns {
  const patterns = readPatterns(file);
  const added: string[] = [];
  return {
    patterns,
    add: (pattern) => void added.push(pattern),
    save: () => {
      if (added.length === 0) return;
      mkdirSync(dirname(file), { recursive: true });
      // Renamed, so that a run that is killed leaves no half of it.
      const written = `${file}.${process.pid}`;
      writeFileSync(written, JSON.stringify([...patterns, ...added]));
      renameSync(written, file);
    },
  };
}

function readPatterns(file: string): readonly string[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as readonly string[];
  } catch {
    // The first run on this machine.
    return [];
  }
}
