import type { Survivor } from './survivors.ts';

/** What is read of Stryker's JSON report. */
export interface MutationReport {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly status: string;
  readonly replacement?: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

/** Counts from one. */
interface Position {
  readonly line: number;
  readonly column: number;
}

export interface FoundSurvivor extends Omit<Survivor, 'reason'> {
  readonly at: number;
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

/** Scores a report, and compares its survivors with those that are accepted. */
export function checkReport(report: MutationReport, accepted: readonly Survivor[]): Verdict {
  const found = Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ status: mutant.status, ...describeMutant(file, source, mutant) })),
  );
  const killed = found.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const survivors = found.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const open = [...accepted];
  const unlisted = survivors.filter((survivor) => {
    // Each entry accepts one: the same change can be harmless in one place of a line and not in another.
    const index = open.findIndex((entry) => isSame(entry, survivor));
    if (index !== -1) open.splice(index, 1);
    return index === -1;
  });
  const count = killed + survivors.length;
  const score = count === 0 ? 100 : (100 * killed) / count;
  return { killed, survived: survivors.length, score, unlisted, outdated: open };
}

function isSame(a: Omit<Survivor, 'reason'>, b: Omit<Survivor, 'reason'>): boolean {
  return a.file === b.file && a.line === b.line && a.change === b.change;
}

function describeMutant(file: string, source: string, { location, replacement }: Mutant): FoundSurvivor {
  const lines = source.split('\n');
  const { start, end } = location;
  const original = lines
    .slice(start.line - 1, end.line)
    .map((line, index, all) => (index === all.length - 1 ? line.slice(0, end.column - 1) : line))
    .map((line, index) => (index === 0 ? line.slice(start.column - 1) : line))
    .join('\n');
  return {
    file,
    at: start.line,
    line: (lines[start.line - 1] ?? '').trim(),
    change: `${shorten(original)} → ${shorten(replacement ?? '')}`,
  };
}

const MAX_LENGTH = 60;

function shorten(code: string): string {
  const text = code.trim().replace(/\s+/g, ' ');
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;
}
