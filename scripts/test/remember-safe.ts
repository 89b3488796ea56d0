import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

export interface SafePatterns {
  /** `/source/flags` of each. */
  readonly patterns: readonly string[];
  /** Keeps these alone, except in CI, where nobody commits them. */
  save(patterns: readonly string[]): void;
}

const { version } = createRequire(import.meta.url)('recheck/package.json') as { readonly version: string };
const committed = fileURLToPath(new URL('./safe-patterns.json', import.meta.url));

/** The patterns that this version of recheck proved safe. They are committed, as their proofs take half a minute. */
export function rememberSafe(
  file = committed,
  environment: { readonly CI?: string } = process.env,
): SafePatterns {
  const patterns = readPatterns(file);
  return {
    patterns,
    save: (kept) => {
      const safe = [...new Set(kept)].sort();
      if (environment.CI || JSON.stringify(safe) === JSON.stringify(patterns)) return;
      // Renamed, so that a run that is killed leaves no half of it.
      const written = `${file}.${process.pid}`;
      writeFileSync(written, `${JSON.stringify({ recheck: version, safe }, null, 2)}\n`);
      renameSync(written, file);
    },
  };
}

function readPatterns(file: string): readonly string[] {
  try {
    const { recheck, safe } = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly recheck: string;
      readonly safe: readonly string[];
    };
    return recheck === version ? safe : [];
  } catch {
    // All are proved again.
    return [];
  }
}
