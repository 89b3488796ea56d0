import { describe, expect, it } from 'vitest';
import { checkMutants } from '../check-mutants.ts';

const SOURCE = 'const a = 1;\n  if (isOld(age) || isOld(age)) return;\n';

/** Mutants of the second line, each of its first or its second call. */
function tryOut(fates: readonly ('killed' | 'survived')[], columns: readonly number[] = [6, 20]) {
  const mutants = fates.map((_, at) => {
    const column = columns[at % columns.length] ?? 0;
    const location = { start: { line: 1, column }, end: { line: 1, column: column + 10 } };
    return { id: `${at}`, fileName: '/copy/src/a.ts', replacement: 'false', location };
  });
  const killed = new Set(fates.flatMap((fate, at) => (fate === 'killed' ? [`${at}`] : [])));
  return { directory: '/copy', sources: { 'src/a.ts': SOURCE }, mutants, killed };
}

const ACCEPTED = {
  file: 'src/a.ts',
  line: 'if (isOld(age) || isOld(age)) return;',
  change: 'isOld(age) → false',
  reason: 'Nothing is old.',
};

describe('the mutants of a group', () => {
  it('are scored by how many of them were killed', () => {
    const tried = tryOut(['killed', 'survived', 'killed', 'killed']);
    expect(checkMutants(tried, [])).toMatchObject({ killed: 3, survived: 1, score: 75 });
    expect(checkMutants(tryOut([]), [])).toMatchObject({ killed: 0, survived: 0, score: 100 });
  });

  it('are named where they survived and are not accepted, with line and change', () => {
    const { reason, ...survivor } = ACCEPTED;
    expect(checkMutants(tryOut(['survived']), [])).toMatchObject({
      unlisted: [{ ...survivor, lineNumber: 2 }],
      outdated: [],
    });
    expect(checkMutants(tryOut(['survived']), [ACCEPTED])).toMatchObject({
      score: 0,
      unlisted: [],
      outdated: [],
    });
  });

  it('are accepted one for each entry of the list', () => {
    const both = tryOut(['survived', 'survived']);
    expect(checkMutants(both, [ACCEPTED]).unlisted).toHaveLength(1);
    expect(checkMutants(both, [ACCEPTED, ACCEPTED]).unlisted).toEqual([]);
  });

  it('make an entry of the list outdated once they are killed, or are no longer made', () => {
    expect(checkMutants(tryOut(['killed']), [ACCEPTED]).outdated).toEqual([ACCEPTED]);
    expect(checkMutants(tryOut([]), [ACCEPTED]).outdated).toEqual([ACCEPTED]);
    const elsewhere = { ...ACCEPTED, file: 'src/of-another-group.ts' };
    expect(checkMutants(tryOut([]), [elsewhere]).outdated).toEqual([]);
  });

  it('are written on one line, and cut where they are long', () => {
    const tried = tryOut(['survived']);
    const location = { start: { line: 0, column: 10 }, end: { line: 1, column: 40 } };
    const mutants = tried.mutants.map((mutant) => ({ ...mutant, location, replacement: 'x'.repeat(61) }));
    expect(checkMutants({ ...tried, mutants }, []).unlisted).toMatchObject([
      { change: `1; if (isOld(age) || isOld(age)) return; → ${'x'.repeat(60)}…` },
    ]);
  });
});
