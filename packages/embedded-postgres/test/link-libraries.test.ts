import { mkdir, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { linkLibraries } from '../src/cluster.ts';

const SOURCE = 'native/lib/libicui18n.so.60.2';
const LINKS = ['native/lib/libicui18n.so', 'native/lib/libicui18n.so.60'];

/** The package of the programs, installed without its install script. */
async function makePackage(links: readonly string[]): Promise<string> {
  const folder = await makeTemporaryDirectory();
  await mkdir(join(folder, 'native/lib'), { recursive: true });
  await writeFile(join(folder, SOURCE), '');
  const written = links.map((target) => ({ source: SOURCE, target }));
  await writeFile(join(folder, 'native/pg-symlinks.json'), JSON.stringify(written));
  return folder;
}

const binariesOf = (folder: string) => join(folder, 'native', 'bin');

it('makes the links that the install script would have made, however many programs start at once', async () => {
  const folder = await makePackage(LINKS);
  await Promise.all([1, 2, 3].map(() => linkLibraries(binariesOf(folder))));
  for (const link of LINKS) expect(await readlink(join(folder, link))).toBe('libicui18n.so.60.2');
});

it('links into another folder, too', async () => {
  const folder = await makePackage(['native/libicu.so']);
  await linkLibraries(binariesOf(folder));
  expect(await readlink(join(folder, 'native/libicu.so'))).toBe(join('lib', 'libicui18n.so.60.2'));
});

it('says that the install script did not run, and how to run it, where a link cannot be made', async () => {
  const folder = await makePackage(['no-folder/libicui18n.so.60']);
  const error = await linkLibraries(binariesOf(folder)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'DATABASE_PROGRAMS_DO_NOT_RUN',
    message: expect.stringMatching(/install script .* did not run[\s\S]*Run: pnpm approve-builds/),
  });
});

it('has nothing to do for programs that need no links', async () => {
  const folder = await makePackage(LINKS);
  await rm(join(folder, 'native/pg-symlinks.json'));
  await linkLibraries(binariesOf(folder));
});
