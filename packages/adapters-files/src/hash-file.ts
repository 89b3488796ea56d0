import { createHash } from 'node:crypto';
import type { StoredContent } from '@handover/domain';
import { readRange } from './read-range.ts';

/** Size and SHA-256 of a file, a chunk at a time. */
export async function hashFile(path: string): Promise<StoredContent> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of readRange(path)) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}
