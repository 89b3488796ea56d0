import { createHash, randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nameSourceFailure } from './name-source-failure.ts';
import { sizeOfFile } from './size-of-file.ts';

/** A running upload touches its file all the time; one that has not for a day has lost its process. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/** Where a content belongs. */
export interface Place {
  readonly path: string;
  /** Those that lead to it, the innermost first. */
  readonly directories: readonly string[];
}

/**
 * Writes the content beside its place, and moves it there once it is whole and on the disk for good. Whatever fails,
 * nothing is left of it.
 */
export async function receiveUpload(
  content: AsyncIterable<Uint8Array>,
  uploads: string,
  placeOf: (sha256: string) => Place,
): Promise<{ readonly size: number; readonly sha256: string }> {
  await mkdir(uploads, { recursive: true });
  const temporary = join(uploads, `${randomUUID()}.part`);
  try {
    const received = await writeContent(content, temporary);
    await moveInto(placeOf(received.sha256), temporary, received.size);
    return received;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Never rejects: what cannot be cleaned now is cleaned the next time. */
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

/** A disk that is nearly full takes a part of a chunk before it says so. */
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
  // One of another size is not this content: a disk has cut it short, and it is replaced.
  if ((await sizeOfFile(path)) !== size) await rename(temporary, path);
  // Also for content that was there already: who put it there may not have come so far yet.
  for (const directory of directories) await syncDirectory(directory);
}

async function syncDirectory(path: string): Promise<void> {
  // Windows keeps its directories in order by itself, and has no way to ask for it.
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
