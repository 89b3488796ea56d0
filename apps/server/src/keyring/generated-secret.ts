import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The generated secret of an installation that has none: created once, stored in the data directory, readable by its
 * user only. It is written to a temporary file and linked to its name, so that two concurrent first starts agree on
 * one secret and it is never partially written.
 */
export async function readGeneratedSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret');
  const draft = join(dataDir, `.secret-${randomBytes(6).toString('hex')}`);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const known = await readFile(path, 'utf8').catch(() => null);
  if (known !== null) return known.trim();
  await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readFile(path, 'utf8')).trim();
}
