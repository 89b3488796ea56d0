import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(`${folder}/README.md`, 'utf8');

it('prints what the README says', () => {
  const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const [, printed = ''] = /```text\n([\s\S]*?)```/.exec(readme) ?? [];
  const node = ['--input-type=module-typescript', '--eval', program];
  const lines = execFileSync(process.execPath, node, { cwd: folder, encoding: 'utf8' }).split('\n');
  expect(lines.map(withoutToken)).toEqual(printed.split('\n').map(withoutToken));
});

/** Ids and seals are new each time. */
function withoutToken(line: string): string {
  return line.replace(/(\/d\/lumen\.).*/, '$1');
}
