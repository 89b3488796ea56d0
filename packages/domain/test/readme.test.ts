import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(`${folder}/README.md`, 'utf8');

const programs = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text);
const outputs = [...readme.matchAll(/```text\n([\s\S]*?)```/g)].map(([, text = '']) => text);

it('says of each program what it prints', () => {
  expect([programs.length, outputs.length]).toEqual([2, 2]);
});

it.each(programs.map((program, at) => ({ program, at })))(
  'prints what the README says, program $at',
  ({ program, at }) => {
    const node = ['--input-type=module-typescript', '--eval', program];
    const lines = execFileSync(process.execPath, node, { cwd: folder, encoding: 'utf8' }).split('\n');
    expect(lines.map(withoutToken)).toEqual(outputs[at]?.split('\n').map(withoutToken));
  },
);

/** Ids and seals are new each time. */
function withoutToken(line: string): string {
  return line.replace(/(\/d\/lumen\.).*/, '$1');
}
