import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStore, ProductFile, StagedUploads } from '@handover/domain';
import type { DataStore } from '@tus/server';
import type { DiskFileStore } from './create-disk-file-store.ts';
import { hashFile, readRange } from './disk-file.ts';
import { removeGivenUp } from './remove-given-up.ts';

/** Uploads in progress, and where their pieces are stored. */
export interface UploadStaging extends StagedUploads {
  /** Where the tus protocol stores incoming pieces. */
  pieces(): Promise<DataStore>;
}

/**
 * A page sends three at once, and interrupted uploads stay open: the limit has room for migrating a whole
 * catalogue.
 */
const MAX_OPEN_UPLOADS = 100;
const SWEEP_EVERY_MS = 60 * 60 * 1000;
/** Valid upload ids, which become part of a path: an organisation's id and random digits. */
const UPLOAD = /^[0-9a-z_-]{1,128}\.[0-9a-f-]{36}$/;

/**
 * Resumable uploads, staged in a directory of this machine. Processes may share it. On the disk of the file
 * store itself, a complete upload becomes a file without a copy.
 */
export function createUploadStaging({
  directory,
  files,
  maxOpen = MAX_OPEN_UPLOADS,
}: {
  readonly directory: string;
  readonly files: FileStore | DiskFileStore;
  /** Per organisation. */
  readonly maxOpen?: number;
}): UploadStaging {
  let opened: Promise<DataStore> | null = null;
  let sweptAt = 0;
  const pathOf = (uploadId: string, ending = '') => {
    if (!UPLOAD.test(uploadId)) throw new Error('That is not the id of an upload.');
    return join(directory, `${uploadId}${ending}`);
  };
  return {
    pieces: async () => {
      if (Date.now() - sweptAt > SWEEP_EVERY_MS) {
        sweptAt = Date.now();
        await removeGivenUp(directory);
      }
      opened ??= openPieces(directory, maxOpen);
      return opened.catch((error) => {
        opened = null;
        throw error;
      });
    },
    keep: async (orgId, uploadId, expectedSha256) => {
      const path = pathOf(uploadId);
      if ('adopt' in files) return files.adopt(orgId, path, expectedSha256);
      if (expectedSha256 !== null && (await hashFile(path)).sha256 !== expectedSha256) return 'damaged';
      return files.store(orgId, readRange(path));
    },
    complete: async (uploadId, { name, size, sha256 }) => {
      // Written atomically: a reader finds the whole file or none, also after a power cut.
      await writeFile(pathOf(uploadId, '.completing'), JSON.stringify({ name, size, sha256 }), {
        flush: true,
      });
      await rename(pathOf(uploadId, '.completing'), pathOf(uploadId, '.completed'));
      await rm(pathOf(uploadId), { force: true });
    },
    findCompleted: async (uploadId) => {
      if (!UPLOAD.test(uploadId)) return null;
      return readCompleted(pathOf(uploadId, '.completed'));
    },
    discard: async (uploadId) => {
      for (const ending of ['', '.json', '.completed']) await rm(pathOf(uploadId, ending), { force: true });
    },
  };
}

/**
 * The directory must exist before the library looks for it: a failure to create it would end the process.
 * The library is loaded with the first upload, because most processes never receive one.
 */
async function openPieces(directory: string, maxOpen: number): Promise<DataStore> {
  await mkdir(directory, { recursive: true });
  const { StagedPieces } = await import('./staged-pieces.ts');
  return new StagedPieces({ directory, maxOpen });
}

async function readCompleted(path: string): Promise<ProductFile | null> {
  try {
    const { name, size, sha256 }: ProductFile = JSON.parse(await readFile(path, 'utf8'));
    return { name, size, sha256 };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
