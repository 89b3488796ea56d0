import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStore as TusFileStore } from '@tus/file-store';

/**
 * The tus library's files on disk: the bytes of an upload under its id, what is known of it in `<id>.json`. A write that
 * fails says why, so that a full disk is told from a broken connection.
 */
export class StagedPieces extends TusFileStore {
  override async write(pieces: Readable, uploadId: string, offset: number): Promise<number> {
    const file = createWriteStream(join(this.directory, uploadId), { flags: 'r+', start: offset });
    await pipeline(pieces, file);
    return offset + file.bytesWritten;
  }
}
