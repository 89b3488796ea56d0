import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GROUPS } from '../groups.ts';
import { SURVIVORS } from '../survivors.ts';

const root = join(import.meta.dirname, '../../..');

describe('the list of accepted survivors', () => {
  it.each(SURVIVORS)('names code that exists: $line', async ({ file, line, change, reason }) => {
    const lines = (await readFile(join(root, file), 'utf8')).split('\n').map((text) => text.trim());
    expect(lines).toContain(line);
    expect(change).toMatch(/^.+ → .+$/);
    expect(reason).toMatch(/^[A-Z].+\.$/);
  });
  it('names only files that are mutated', () => {
    const mutated = Object.values(GROUPS).flatMap(({ mutate }) => globSync([...mutate], { cwd: root }));
    expect(mutated).toEqual(expect.arrayContaining(SURVIVORS.map(({ file }) => file)));
  });
});

describe('a group', () => {
  it.each(Object.entries(GROUPS))('%s names files that exist', (_, { mutate, tests, exclude }) => {
    for (const pattern of [...mutate, ...tests, ...exclude]) {
      expect(globSync(pattern, { cwd: root }), pattern).not.toEqual([]);
    }
  });
});
