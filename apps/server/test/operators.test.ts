import { expect, it } from 'vitest';
import { createDoctor } from '../src/doctor/examine-installation.ts';
import { readSettings } from '../src/settings/settings.ts';

function isOperator(environment: Record<string, string>, email: string): boolean {
  const read = readSettings(environment);
  if ('problems' in read) throw new Error('The settings of the test are wrong.');
  return createDoctor(read.settings, 'postgresql://nobody@127.0.0.1:1/nothing').isOperator(email);
}

it('operators are those who are listed, in whatever spelling; in a trial without a list, everybody', () => {
  const listed = { OPERATOR_EMAILS: 'Ana@example.com' };
  expect(isOperator(listed, 'ana@EXAMPLE.com')).toBe(true);
  expect(isOperator(listed, 'jo@example.com')).toBe(false);
  expect(isOperator({}, 'jo@example.com')).toBe(true);
  const installed = {
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing',
    HANDOVER_SECRET: 'a-secret-of-at-least-32-characters',
    FILES_URL: 'file:///srv/files',
  };
  expect(isOperator(installed, 'jo@example.com')).toBe(false);
});
