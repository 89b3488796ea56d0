import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { readGeneratedSecret } from '../src/composition/generated-secret.ts';

const nothingSealed = async () => false;

it('is made once, also by concurrent first starts', async () => {
  const dataDir = join(await makeTemporaryDirectory(), 'data');
  const secrets = await Promise.all([1, 2, 3].map(() => readGeneratedSecret(dataDir, nothingSealed)));
  expect(new Set(secrets).size).toBe(1);
  expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(await readGeneratedSecret(dataDir, nothingSealed)).toBe(secrets[0]);
  expect(await readFile(join(dataDir, 'secret'), 'utf8')).toBe(`${secrets[0]}\n`);
});

it('is that of another first start, which has made and used it meanwhile', async () => {
  const dataDir = join(await makeTemporaryDirectory(), 'data');
  const another: string[] = [];
  const read = await readGeneratedSecret(dataDir, async () => {
    another.push(await readGeneratedSecret(dataDir, nothingSealed));
    return true;
  });
  expect([read]).toEqual(another);
});

it.skipIf(process.platform === 'win32').each([
  [
    'a first start',
    `import { readGeneratedSecret } from '${module('composition/generated-secret.ts')}';
    await readGeneratedSecret(process.argv[1], async () => false);`,
  ],
  [
    'an import',
    `import { prepareSecret } from '${module('transfer/secret-of-export.ts')}';
    const manifest = { keyNumbers: [], organisation: null };
    const read = async function* () { yield Buffer.from('a'.repeat(64)); };
    await prepareSecret({ manifest, isEncrypted: true, read }, { dataDir: process.argv[1], secrets: null });`,
  ],
])('%s leaves nothing behind where it cannot be written', async (_, program) => {
  const dataDir = await makeTemporaryDirectory();
  // As on a full disk: a file can be made, and nothing written to it.
  const run = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, '--conditions=handover-source'];
  const words = [...run, '--input-type=module', '-e', program, dataDir];
  await expect(promisify(execFile)('sh', words)).rejects.toThrow('EFBIG');
  expect(await readdir(dataDir)).toEqual([]);
});

it('is never empty: a file that has lost its content is refused', async () => {
  const dataDir = await makeTemporaryDirectory();
  // Some file systems leave zeros after a power cut.
  for (const content of ['', '\n', '\0'.repeat(65), `${'a'.repeat(40)}${'\0'.repeat(25)}`]) {
    await writeFile(join(dataDir, 'secret'), content);
    await expect(readGeneratedSecret(dataDir, nothingSealed)).rejects.toThrow(
      /secret is empty.*Restore the file/,
    );
  }
});

it('lists no empty secret beside another: anyone could sign with it', async () => {
  const dataDir = await makeTemporaryDirectory();
  for (const content of [
    `${'a'.repeat(64)},\n`,
    `,${'a'.repeat(64)}`,
    `${'a'.repeat(64)}, ,${'b'.repeat(64)}`,
  ]) {
    await writeFile(join(dataDir, 'secret'), content);
    await expect(readGeneratedSecret(dataDir, nothingSealed)).rejects.toThrow(/Restore the file/);
  }
});

function module(path: string): string {
  return new URL(`../src/${path}`, import.meta.url).href;
}
