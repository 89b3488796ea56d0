import { relative } from 'node:path';
import type { Mutant } from './instrument.ts';
import type { Survivor } from './survivors.ts';

/** The mutants of a group, in this directory, and those of them that were killed. */
export interface TriedMutants {
  readonly directory: string;
  /** As they were before they were mutated, by path. */
  readonly sources: Readonly<Record<string, string>>;
  readonly mutants: readonly Mutant[];
  readonly killed: ReadonlySet<string>;
}

export interface FoundSurvivor extends Omit<Survivor, 'reason'> {
  readonly lineNumber: number;
}

export interface Verdict {
  readonly killed: number;
  readonly survived: number;
  /** In percent; 100 where nothing could be mutated. */
  readonly score: number;
  /** Survivors that the list does not name. */
  readonly unlisted: readonly FoundSurvivor[];
  /** Listed survivors that were killed, or whose code is no longer there. */
  readonly outdated: readonly Survivor[];
}

/** Scores a group, and compares its survivors with those that are accepted. */
export function checkMutants(tried: TriedMutants, accepted: readonly Survivor[]): Verdict {
  const { mutants, killed } = tried;
  const survivors = mutants.filter(({ id }) => !killed.has(id)).map((mutant) => describe(mutant, tried));
  const open = accepted.filter(({ file }) => tried.sources[file] !== undefined);
  const unlisted = survivors.filter((survivor) => {
    // Each entry accepts one: the same change can be harmless in one place of a line and not in another.
    const index = open.findIndex((entry) => isSame(entry, survivor));
    if (index !== -1) open.splice(index, 1);
    return index === -1;
  });
  const dead = mutants.length - survivors.length;
  const score = mutants.length === 0 ? 100 : (100 * dead) / mutants.length;
  return { killed: dead, survived: survivors.length, score, unlisted, outdated: open };
}

function isSame(a: Omit<Survivor, 'reason'>, b: Omit<Survivor, 'reason'>): boolean {
  return a.file === b.file && a.line === b.line && a.change === b.change;
}

function describe(
  { fileName, location: { start, end }, replacement }: Mutant,
  { directory, sources }: TriedMutants,
): FoundSurvivor {
  const file = relative(directory, fileName);
  const lines = (sources[file] ?? '').split('\n');
  const original = lines
    .slice(start.line, end.line + 1)
    .map((line, index, all) => (index === all.length - 1 ? line.slice(0, end.column) : line))
    .map((line, index) => (index === 0 ? line.slice(start.column) : line))
    .join('\n');
  return {
    file,
    lineNumber: start.line + 1,
    line: (lines[start.line] ?? '').trim(),
    change: `${shorten(original)} → ${shorten(replacement)}`,
  };
}

const MAX_LENGTH = 60;

function shorten(code: string): string {
  const text = code.trim().replace(/\s+/g, ' ');
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;
}
