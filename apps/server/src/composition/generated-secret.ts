import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** The file of the generated secret has lost its content. */
export class SecretFileError extends Error {
  readonly code = 'secret-file';
}

/**
 * The generated secret of an installation that has none: created once, stored in the data directory, readable by its
 * user only. It is written to a temporary file and linked to its name, so that two concurrent first starts agree on
 * one secret and it is never partially written. It is on disk before anything is encrypted with it.
 */
export async function readGeneratedSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret');
  const draft = join(dataDir, `.secret-${randomBytes(6).toString('hex')}`);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const known = await readSecret(path);
  if (known !== null) return known;
  await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dataDir);
  return (await readFile(path, 'utf8')).trim();
}

/** Null where there is none. */
async function readSecret(path: string): Promise<string | null> {
  const text = (await readFile(path, 'utf8').catch(() => null))?.trim() ?? null;
  if (text === null || !hasLostContent(text)) return text;
  throw new SecretFileError(
    `${path} is empty or damaged: it has lost a secret that encrypts what is stored. Restore the file from a backup. Where nothing is stored yet, remove it, and a new one is made.`,
  );
}

/**
 * Anyone could sign links, and read what is encrypted, with an empty secret, also beside others in the list. After a
 * power cut, file systems leave a file empty, or with zeros.
 */
function hasLostContent(text: string): boolean {
  return text.includes('\0') || text.split(',').some((secret) => secret.trim() === '');
}
