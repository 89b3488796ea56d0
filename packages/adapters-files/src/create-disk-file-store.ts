import { join } from 'node:path';
import type { FileStore } from '@handover/domain';
import { isOrganisation, isSha256 } from './content-address.ts';
import { FileStoreError } from './file-store-error.ts';
import { readRange } from './read-range.ts';
import { sizeOfFile } from './size-of-file.ts';
import { receiveUpload, removeAbandonedUploads } from './uploads.ts';

/**
 * Product files on a local disk, as `<directory>/<organisation>/<first two digits>/<sha256>`. Several processes may
 * share the directory. What uploads of crashed processes left behind is removed when the store is made.
 */
export function createDiskFileStore(directory: string): FileStore {
  const uploads = join(directory, '.uploads');
  const cleaned = removeAbandonedUploads(uploads);
  return {
    async store(orgId, content) {
      if (!isOrganisation(orgId)) {
        throw new FileStoreError('malformed-organisation', 'That is not the id of an organisation.');
      }
      await cleaned;
      const organisation = join(directory, orgId);
      return receiveUpload(content, uploads, (sha256) => ({
        path: pathOf(organisation, sha256),
        directories: [shelfOf(organisation, sha256), organisation, directory],
      }));
    },
    async open(orgId, sha256, range) {
      if (!isOrganisation(orgId) || !isSha256(sha256)) return null;
      const path = pathOf(join(directory, orgId), sha256);
      return (await sizeOfFile(path)) === null ? null : readRange(path, range);
    },
  };
}

function pathOf(organisation: string, sha256: string): string {
  return join(shelfOf(organisation, sha256), sha256);
}

function shelfOf(organisation: string, sha256: string): string {
  return join(organisation, sha256.slice(0, 2));
}
