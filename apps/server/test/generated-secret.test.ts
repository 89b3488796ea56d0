import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { readGeneratedSecret } from '../src/composition/generated-secret.ts';

it('is made once, also by concurrent first starts', async () => {
  const dataDir = join(await makeTemporaryDirectory(), 'data');
  const secrets = await Promise.all([1, 2, 3].map(() => readGeneratedSecret(dataDir)));
  expect(new Set(secrets).size).toBe(1);
  expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(await readGeneratedSecret(dataDir)).toBe(secrets[0]);
  expect(await readFile(join(dataDir, 'secret'), 'utf8')).toBe(`${secrets[0]}\n`);
});

it('is never empty: a file that has lost its content is refused', async () => {
  const dataDir = await makeTemporaryDirectory();
  for (const content of ['', '\n']) {
    await writeFile(join(dataDir, 'secret'), content);
    await expect(readGeneratedSecret(dataDir)).rejects.toThrow(/secret is empty.*Restore the file/);
  }
});
