import { describe, expect, it } from 'vitest';
import type { Verdict } from '../check-mutants.ts';
import { reportVerdicts } from '../report-verdicts.ts';

const WELL: Verdict = { killed: 99, survived: 1, score: 99, unlisted: [], outdated: [] };
const SURVIVOR = { file: 'src/a.ts', line: 'if (isOld(age)) return;', change: 'isOld(age) → false' };

function report(changes: Partial<Verdict> = {}) {
  const { lines, isWell } = reportVerdicts([
    ['fulfilment', WELL],
    ['verify', { ...WELL, ...changes }],
  ]);
  return { text: lines.join('\n'), isWell };
}

describe('a run of the mutants', () => {
  it('is well where each survivor is listed and the scores hold, and says the scores', () => {
    expect(report()).toEqual({
      isWell: true,
      text: 'fulfilment 99 killed, 1 survived: 99.0 %\nverify     99 killed, 1 survived: 99.0 %',
    });
  });

  it('fails for a survivor that is not listed, though the score holds, names it and says what to do', () => {
    const { text, isWell } = report({ unlisted: [{ ...SURVIVOR, lineNumber: 7 }] });
    expect(isWell).toBe(false);
    expect(text).toContain(
      'is not in checks/mutation/survivors: src/a.ts:7\n  if (isOld(age)) return;\n  isOld(age) →',
    );
    expect(text).toContain('Unlisted survivors: 1. Write a test that kills each.');
    expect(text).not.toContain('Stale');
  });

  it('fails for a listed survivor that is killed now, names it and says what to do', () => {
    const { text, isWell } = report({ outdated: [{ ...SURVIVOR, reason: 'Nothing is old.' }] });
    expect(isWell).toBe(false);
    expect(text).toContain(
      'No longer survives, but is in checks/mutation/survivors: src/a.ts\n  if (isOld(age)) return;',
    );
    expect(text).toContain('Stale entries: 1. Remove each from checks/mutation/survivors.');
    expect(text).not.toContain('Unlisted');
  });

  it('fails for a group that is below 95 %', () => {
    expect(report({ score: 95 }).isWell).toBe(true);
    const { text, isWell } = report({ score: 94.9 });
    expect(isWell).toBe(false);
    expect(text).toContain('Below 95 %: verify.');
  });
});
