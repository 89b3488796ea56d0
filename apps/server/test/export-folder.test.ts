import { type FileHandle, mkdir, open, readdir, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { asContent, createExport, nameFile, nameTable } from '../src/transfer/export-folder.ts';
import { FORMAT, type Manifest } from '../src/transfer/manifest.ts';

const EMPTY: Manifest = {
  format: FORMAT,
  exportedAt: '2026-01-01T00:00:00.000Z',
  program: '1',
  schema: '1',
  organisation: null,
  keyNumbers: [],
  tables: [],
  files: { name: 'files', columns: [], rows: 0, bytes: 0, sha256: '', rowsHash: '', totalBytes: 0 },
};

/** The inodes of all files and folders that are brought to the disk from now on, in this order. */
async function watchSyncs(): Promise<readonly number[]> {
  const handle = await open('.');
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const original = prototype.sync;
  const synced: number[] = [];
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    synced.push((await this.stat()).ino);
    return original.call(this);
  });
  onTestFinished(() => spy.mockRestore());
  return synced;
}

it.skipIf(process.platform === 'win32')(
  'a finished export survives a power cut: every folder of it is on disk, the manifest last',
  async () => {
    const root = await makeTemporaryDirectory();
    const folder = join(root, 'of', 'today');
    const synced = await watchSyncs();
    const writer = await createExport(folder, null);
    await writer.write(nameTable('orders'), asContent(Buffer.from('a')));
    await writer.write(nameFile('org', 'abcd'), asContent(Buffer.from('b')));
    await writer.finish(EMPTY);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map((e) => join(e.parentPath, e.name));
    expect(folders.map((path) => relative(folder, path)).sort()).toEqual([
      'files',
      'files/org',
      'files/org/ab',
      'tables',
    ]);
    for (const path of [root, dirname(folder), folder, ...folders]) {
      expect(synced, relative(root, path)).toContain((await stat(path)).ino);
    }
    expect(synced.at(-1)).toBe((await stat(folder)).ino);
  },
);

it('an export goes to the folder that its path names, whichever way, and leaves no other one', async () => {
  const root = await makeTemporaryDirectory();
  await mkdir(join(root, 'disk', 'old'), { recursive: true });
  await symlink(join(root, 'disk', 'old'), join(root, 'current'));
  for (const path of ['current/../a/today', 'away/../b/today']) {
    const writer = await createExport(`${root}/${path}`, null);
    await writer.finish(EMPTY);
  }
  expect((await readdir(root, { recursive: true })).sort()).toEqual([
    'a',
    'a/today',
    'a/today/manifest.json',
    'b',
    'b/today',
    'b/today/manifest.json',
    'current',
    'disk',
    'disk/old',
  ]);
});
