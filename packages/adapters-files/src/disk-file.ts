import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import type { StoredContent } from '@handover/domain';

/** Size in bytes, or null when there is no such file. */
export async function sizeOfFile(path: string): Promise<number | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

const CHUNK_BYTES = 64 * 1024;

interface Reading {
  readonly start: number;
  readonly end: number;
  /** Gives the buffer for each chunk; without it, each chunk has its own. */
  readonly lend?: () => Uint8Array;
}

/**
 * The bytes of a file from `start` up to, but not including, `end`. The file is opened when the first chunk
 * is requested and closed when the reader stops, so a reader that never starts holds nothing open.
 */
export async function* readRange(
  path: string,
  { start, end, lend }: Reading = { start: 0, end: Infinity },
): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    let position = start;
    while (position < end) {
      const buffer = lend?.() ?? Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - position));
      const wanted = Math.min(buffer.length, end - position);
      const { bytesRead } = await file.read(buffer, 0, wanted, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

const HASHED_BYTES = 256 * 1024;

/** Size and SHA-256 of a file, read through one buffer: a buffer per chunk would be gigabytes of garbage. */
export async function hashFile(path: string): Promise<StoredContent> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(HASHED_BYTES);
  let size = 0;
  const file = await open(path, 'r');
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, HASHED_BYTES, size);
      if (bytesRead === 0) return { size, sha256: hash.digest('hex') };
      hash.update(buffer.subarray(0, bytesRead));
      size += bytesRead;
    }
  } finally {
    await file.close();
  }
}
