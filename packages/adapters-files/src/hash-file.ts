import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { StoredContent } from '@handover/domain';

const CHUNK_BYTES = 256 * 1024;

/** Size and SHA-256 of a file, read through one buffer: a buffer per chunk would be gigabytes of garbage. */
export async function hashFile(path: string): Promise<StoredContent> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let size = 0;
  const file = await open(path, 'r');
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, size);
      if (bytesRead === 0) return { size, sha256: hash.digest('hex') };
      hash.update(buffer.subarray(0, bytesRead));
      size += bytesRead;
    }
  } finally {
    await file.close();
  }
}
