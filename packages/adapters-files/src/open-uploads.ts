import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { GIVEN_UP_AFTER_MS, lastTouched } from './remove-given-up.ts';

/**
 * How many uploads the organisation has open on this machine, including this one. A completed upload has no
 * bytes here any more; an abandoned one is not counted, even if it is not removed yet.
 */
export async function countOpenUploads(directory: string, uploadId: string): Promise<number> {
  const prefix = uploadId.slice(0, uploadId.indexOf('.') + 1);
  const names = await readdir(directory);
  const uploads = names.filter((name) => name.startsWith(prefix) && !name.includes('.', prefix.length));
  const touched = await Promise.all(uploads.map((name) => lastTouched(join(directory, name))));
  return touched.filter((time) => Date.now() - time < GIVEN_UP_AFTER_MS).length;
}
