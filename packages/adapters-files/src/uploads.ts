import { createHash, randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { link, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredContent } from '@handover/domain';
import { hashFile, readRange, sizeOfFile } from './disk-file.ts';
import { nameSourceFailure } from './file-store-error.ts';

/**
 * A running upload touches its file all the time; one that has not for a day belongs to a process that
 * died.
 */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/** The final path of some content. */
export interface Place {
  readonly path: string;
  /** The directories of the path, innermost first. */
  readonly directories: readonly string[];
}

/**
 * Writes the content to a temporary file and renames it to its place once it is complete and synced. After
 * a failure nothing is left.
 */
export async function receiveUpload(
  content: AsyncIterable<Uint8Array>,
  uploads: string,
  placeOf: (sha256: string) => Promise<Place>,
): Promise<StoredContent> {
  return withTemporaryFile(uploads, async (temporary) => {
    const received = await writeContent(content, temporary);
    await moveInto(await placeOf(received.sha256), temporary, received.size);
    return received;
  });
}

/** Links a file on the same disk to its place, once it is synced. */
export async function adoptFile(
  file: { readonly path: string; readonly expectedSha256: string | null },
  uploads: string,
  placeOf: (sha256: string) => Promise<Place>,
): Promise<StoredContent | 'damaged'> {
  const found = await hashFile(file.path);
  if (file.expectedSha256 !== null && found.sha256 !== file.expectedSha256) return 'damaged';
  try {
    return await withTemporaryFile(uploads, async (temporary) => {
      await syncFile(file.path);
      // Like a running upload, so that no other process takes the link for one that was left behind.
      await utimes(file.path, new Date(), new Date());
      await link(file.path, temporary);
      await moveInto(await placeOf(found.sha256), temporary, found.size);
      return found;
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && CANNOT_LINK.has(String(error.code)))) throw error;
    return receiveUpload(readRange(file.path), uploads, placeOf);
  }
}

/** For work that moves the file away when it is complete; what it leaves is removed. */
async function withTemporaryFile<Result>(
  uploads: string,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(uploads, { recursive: true });
  const temporary = join(uploads, `${randomUUID()}.part`);
  try {
    return await work(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Errors of disks without hard links, and of files on different disks. */
const CANNOT_LINK = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Never rejects: the next run removes what this one could not. */
export async function removeAbandonedUploads(uploads: string): Promise<void> {
  const names = await readdir(uploads).catch(() => []);
  await Promise.allSettled(
    names.map(async (name) => {
      const path = join(uploads, name);
      const { mtimeMs } = await stat(path);
      if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
    }),
  );
}

async function writeContent(content: AsyncIterable<Uint8Array>, path: string) {
  const hash = createHash('sha256');
  let size = 0;
  const file = await open(path, 'wx');
  try {
    for await (const chunk of nameSourceFailure(content)) {
      hash.update(chunk);
      await writeWhole(file, chunk);
      size += chunk.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { size, sha256: hash.digest('hex') };
}

/** A nearly full disk writes part of a chunk before it fails. */
async function writeWhole(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0;
  while (written < chunk.length) {
    const { bytesWritten } = await file.write(chunk, written, chunk.length - written);
    written += bytesWritten;
  }
}

async function moveInto({ path, directories }: Place, temporary: string, size: number): Promise<void> {
  const [innermost] = directories;
  if (innermost) await mkdir(innermost, { recursive: true });
  // A file of another size was truncated by a crash, so it is replaced.
  if ((await sizeOfFile(path)) !== size) await rename(temporary, path);
  // Synced even if the content was there already: the process that stored it may not have synced yet.
  for (const directory of directories) await syncDirectory(directory);
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  // Windows has no way to sync a directory, and does not need it.
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
