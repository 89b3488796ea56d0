import { describe, expect, it } from 'vitest';
import { checkReport, type MutationReport } from '../check-report.ts';

const SOURCE = 'const a = 1;\n  if (isOld(age) || isOld(age)) return;\n';

const at = (line: number, column: number, length: number) => ({
  start: { line, column },
  end: { line, column: column + length },
});
const mutant = (status: string, column = 7) => ({
  status,
  replacement: 'false',
  location: at(2, column, 10),
});
const report = (...mutants: MutationReport['files'][string]['mutants']): MutationReport => ({
  files: { 'a.ts': { source: SOURCE, mutants } },
});
const ACCEPTED = {
  file: 'a.ts',
  line: 'if (isOld(age) || isOld(age)) return;',
  change: 'isOld(age) → false',
  reason: 'Nothing is old.',
};

describe('a report of mutation tests', () => {
  it('scores what was killed, by a failed test or because it never ended', () => {
    const mutants = ['Killed', 'Timeout', 'Survived', 'NoCoverage', 'RuntimeError', 'Ignored'];
    expect(checkReport(report(...mutants.map((status) => mutant(status))), [])).toMatchObject({
      killed: 2,
      survived: 2,
      score: 50,
    });
  });

  it('names a survivor that is not listed, with its line and its change', () => {
    const { reason, ...survivor } = ACCEPTED;
    expect(checkReport(report(mutant('Survived')), [])).toMatchObject({
      unlisted: [{ ...survivor, at: 2 }],
      outdated: [],
    });
    expect(checkReport(report(mutant('Survived')), [ACCEPTED])).toMatchObject({
      score: 0,
      unlisted: [],
      outdated: [],
    });
  });

  it('accepts one survivor for each entry', () => {
    const both = report(mutant('Survived'), mutant('Survived', 21));
    expect(checkReport(both, [ACCEPTED]).unlisted).toHaveLength(1);
    expect(checkReport(both, [ACCEPTED, ACCEPTED]).unlisted).toEqual([]);
  });

  it('names an entry whose mutant was killed, or is no longer made', () => {
    expect(checkReport(report(mutant('Killed')), [ACCEPTED]).outdated).toEqual([ACCEPTED]);
    expect(checkReport(report(), [ACCEPTED]).outdated).toEqual([ACCEPTED]);
  });

  it('writes a change of several lines on one, and cuts a long one', () => {
    const whole = { start: { line: 1, column: 11 }, end: { line: 2, column: 41 } };
    const [found] = checkReport(
      report({ status: 'Survived', replacement: `"${'x'.repeat(90)}"`, location: whole }),
      [],
    ).unlisted;
    expect(found?.change).toBe(`1; if (isOld(age) || isOld(age)) return; → "${'x'.repeat(59)}…`);
  });
});
