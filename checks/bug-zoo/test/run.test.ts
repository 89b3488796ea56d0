import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const BUG = 'adds-amounts-of-different-scale';

// In a copy, where nothing is built, and with all of Vitest's set-up: what fails there fails for every bug.
it('a planted bug is caught in a copy of the repository', async () => {
  const words = ['checks/bug-zoo/run.ts', BUG, '--jobs', '1'];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root });
  expect(stdout).toMatch(new RegExp(`caught .* money: ${BUG} \\(`));
  expect(stdout).toContain('1 bugs: 1 caught, 0 survived, 0 unknown');
});
