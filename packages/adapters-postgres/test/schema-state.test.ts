import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evaluateSchema, explainRefusal } from '../src/migrations/schema-state.ts';

const KNOWN = ['0001-a', '0002-b', '0003-c'];
const evaluate = (migrations: readonly string[], oldestProgram: string | null = null) =>
  evaluateSchema({ migrations, oldestProgram }, KNOWN);

it('tells an empty, an older and a current schema apart', () => {
  expect(evaluate([])).toEqual({ kind: 'empty' });
  expect(evaluate(['0001-a'])).toEqual({ kind: 'older', pending: ['0002-b', '0003-c'] });
  expect(evaluate(KNOWN)).toEqual({ kind: 'current' });
});

it('lets a program go on with a newer schema that names a migration it knows', () => {
  const newer = [...KNOWN, '0004-d', '0005-e'];
  expect(evaluate(newer, '0002-b')).toEqual({ kind: 'newer-compatible', latest: '0005-e' });
  expect(evaluate(newer, '0004-d')).toEqual({ kind: 'newer', latest: '0005-e' });
  expect(evaluate(newer, null)).toEqual({ kind: 'newer', latest: '0005-e' });
  expect(evaluate(['0001-a', '0004-d'], '0001-a')).toEqual({ kind: 'newer', latest: '0004-d' });
});

it('refuses every schema but an empty one, its own and a compatible one, and says what to do', () => {
  const names = fc.uniqueArray(fc.constantFrom(...KNOWN, '0004-d', '0005-e', '0001-first-tables'));
  fc.assert(
    fc.property(names, fc.option(fc.constantFrom('0001-a', '0003-c', '0004-d')), (migrations, oldest) => {
      const state = evaluate(migrations, oldest);
      const refusal = explainRefusal(state);
      const hasAll = KNOWN.every((name) => migrations.includes(name));
      if (state.kind === 'empty') expect(refusal).toBeNull();
      else if (state.kind === 'current' || state.kind === 'newer-compatible') {
        expect([hasAll, refusal]).toEqual([true, null]);
      } else expect(refusal?.message).toMatch(/handover migrate|Install that version|Start with an empty/);
    }),
  );
});
