import { createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStore as TusFileStore } from '@tus/file-store';
import type { Upload } from '@tus/server';
import { FileStoreError } from './file-store-error.ts';
import { GIVEN_UP_AFTER_MS, lastTouched } from './remove-given-up.ts';

/**
 * The tus library's files on disk: the bytes of an upload under its id, its metadata in `<id>.json`. A
 * failed write keeps its cause, so that a full disk is distinguished from a broken connection.
 */
export class StagedPieces extends TusFileStore {
  readonly #maxOpen: number;

  constructor({ directory, maxOpen }: { readonly directory: string; readonly maxOpen: number }) {
    super({ directory });
    this.#maxOpen = maxOpen;
  }

  /**
   * Creates the upload first and then counts: of several concurrent ones, the last to count finds all of
   * them, so the limit is never exceeded. At the limit, all concurrent ones may be rejected.
   */
  override async create(upload: Upload): Promise<Upload> {
    const created = await super.create(upload);
    if ((await countOpenUploads(this.directory, upload.id)) <= this.#maxOpen) return created;
    await this.remove(upload.id);
    throw new FileStoreError(
      'too-many-uploads',
      `Your organisation has ${this.#maxOpen} unfinished uploads, the most there may be. Finish one, or give one up with DELETE; one that no byte has come in of for 72 hours is given up by itself.`,
    );
  }

  override async write(pieces: Readable, uploadId: string, offset: number): Promise<number> {
    const file = createWriteStream(join(this.directory, uploadId), { flags: 'r+', start: offset });
    await pipeline(pieces, file);
    return offset + file.bytesWritten;
  }
}

/**
 * How many uploads the organisation has open on this machine, including this one. A completed upload has no
 * bytes here any more; an abandoned one is not counted, even if it is not removed yet.
 */
async function countOpenUploads(directory: string, uploadId: string): Promise<number> {
  const prefix = uploadId.slice(0, uploadId.indexOf('.') + 1);
  const names = await readdir(directory);
  const uploads = names.filter((name) => name.startsWith(prefix) && !name.includes('.', prefix.length));
  const touched = await Promise.all(uploads.map((name) => lastTouched(join(directory, name))));
  return touched.filter((time) => Date.now() - time < GIVEN_UP_AFTER_MS).length;
}
