import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { probeBucket, probeDisk } from '../src/index.ts';
import { startS3 } from './start-s3.ts';

it('writes, reads and deletes a file on a disk', async () => {
  const directory = await makeTemporaryDirectory();
  await probeDisk(join(directory, 'files'));
  expect(await readdir(join(directory, 'files'))).toEqual([]);
});

it('fails where no file can be made', async () => {
  const directory = await makeTemporaryDirectory();
  await writeFile(join(directory, 'files'), 'in the way');
  await expect(probeDisk(join(directory, 'files'))).rejects.toThrow(/EEXIST|ENOTDIR/);
});

it('writes, reads and deletes an object of a bucket, and fails without it', async () => {
  const { place, stop } = await startS3();
  onTestFinished(stop);
  await probeBucket(place);
  await expect(probeBucket({ ...place, bucket: 'nowhere' })).rejects.toThrow();
});
