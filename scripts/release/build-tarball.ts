import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { create } from 'tar';

/** Packs the folder, the same bytes for the same files: sorted, of one time, of nobody. Writes its SHA-256 beside it. */
export async function buildTarball(folder: string, madeAt: Date): Promise<string> {
  const file = `${folder}.tar.gz`;
  const cwd = dirname(folder);
  const name = basename(folder);
  const paths = [
    name,
    ...readdirSync(folder, { recursive: true }).map((path) => join(name, String(path))),
  ].sort();
  await create({ file, cwd, portable: true, noDirRecurse: true, mtime: madeAt, gzip: { level: 9 } }, paths);
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  writeFileSync(`${file}.sha256`, `${sha256}  ${basename(file)}\n`);
  return file;
}
