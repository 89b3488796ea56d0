import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** The file of the generated secret, or its content, is lost. */
export class SecretFileError extends Error {
  readonly code = 'secret-file';

  readonly finding: string;
  readonly fix: string;

  constructor(finding: string, fix: string) {
    super(`${finding} ${fix}`);
    this.finding = finding;
    this.fix = fix;
  }
}

/**
 * The generated secret of an installation that has none: created once, stored in the data directory. Where something is
 * encrypted already, the secret is lost: another one would make it, and all links, unreadable for good.
 */
export async function readGeneratedSecret(
  dataDir: string,
  isAnythingSealed: () => Promise<boolean>,
): Promise<string> {
  const path = secretPath(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const known = await findGeneratedSecret(dataDir);
  if (known !== null) return known;
  if (!(await isAnythingSealed())) await storeSecret(dataDir, randomBytes(32).toString('hex'));
  // Another first start may have made it meanwhile, and encrypted with it.
  const stored = await findGeneratedSecret(dataDir);
  if (stored === null) throw reportMissing(path);
  return stored;
}

export function secretPath(dataDir: string): string {
  return join(dataDir, 'secret');
}

export function reportMissing(path: string): SecretFileError {
  return new SecretFileError(
    `${path} is missing: it holds the secret that encrypts what is stored.`,
    `Restore it from a backup, or set HANDOVER_SECRET again if it was set before. If nobody has a copy, write a new one that only this user may read, (umask 077; openssl rand -hex 32 > ${path}), and enter each webhook secret again with: handover integration set`,
  );
}

/**
 * Stores the secret of an installation that has none, readable by its user only; false where there is one. It is written
 * to a temporary file and linked to its name, so that two concurrent first starts agree on one secret and it is never
 * partially written. It is on disk before anything is encrypted with it.
 */
export async function storeSecret(dataDir: string, secret: string): Promise<boolean> {
  const draft = join(dataDir, `.secret-${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(draft, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
    const isStored = await link(draft, secretPath(dataDir)).then(() => true, isThere);
    await syncFolder(dataDir);
    return isStored;
  } finally {
    await rm(draft, { force: true });
  }
}

function isThere(error: unknown): false {
  if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
  throw error;
}

/** Null where there is none. */
export async function findGeneratedSecret(dataDir: string): Promise<string | null> {
  const path = secretPath(dataDir);
  const text = (await readFile(path, 'utf8').catch(isAbsent))?.trim() ?? null;
  if (text === null || !hasLostContent(text)) return text;
  throw new SecretFileError(
    `${path} is empty or damaged: it has lost a secret that encrypts what is stored.`,
    'Restore the file from a backup. Where nothing is stored yet, remove it, and a new one is made.',
  );
}

function isAbsent(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}

/**
 * Anyone could sign links, and read what is encrypted, with an empty secret, also beside others in the list. After a
 * power cut, file systems leave a file empty, or with zeros.
 */
function hasLostContent(text: string): boolean {
  return text.includes('\0') || text.split(',').some((secret) => secret.trim() === '');
}
