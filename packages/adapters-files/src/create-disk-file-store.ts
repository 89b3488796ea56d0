import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnnounceContent, FileStore, StoredContent } from '@handover/domain';
import { announceOrRefuse, isOrganisation, isSha256, requireOrganisation } from './content-address.ts';
import { readRange, sizeOfFile } from './disk-file.ts';
import { adoptFile, receiveUpload, removeAbandonedUploads } from './uploads.ts';

export interface DiskFileStore extends FileStore {
  /**
   * Stores a file that is on the same disk, by a hard link where the disk has them, and else by a copy. The
   * file stays where it is, and must not be written to any more. `damaged`: its hash differs from the
   * expected one, and nothing was stored.
   */
  adopt(orgId: string, path: string, expectedSha256: string | null): Promise<StoredContent | 'damaged'>;
}

/**
 * Product files on a local disk, as `<directory>/<organisation>/<first two digits>/<sha256>`. Several
 * processes may share the directory. Creating the store removes the leftovers of crashed uploads.
 */
export function createDiskFileStore(directory: string, announce?: AnnounceContent): DiskFileStore {
  const uploads = join(directory, '.uploads');
  const cleaned = removeAbandonedUploads(uploads);
  const placeOf = (orgId: string) => {
    requireOrganisation(orgId);
    const organisation = join(directory, orgId);
    return async (sha256: string) => {
      await announceOrRefuse(announce, { orgId, sha256 });
      return {
        path: pathOf(organisation, sha256),
        directories: [shelfOf(organisation, sha256), organisation, directory],
      };
    };
  };
  return {
    async store(orgId, content) {
      const place = placeOf(orgId);
      await cleaned;
      return receiveUpload(content, uploads, place);
    },
    async adopt(orgId, path, expectedSha256) {
      const place = placeOf(orgId);
      await cleaned;
      return adoptFile({ path, expectedSha256 }, uploads, place);
    },
    async open(orgId, sha256, range) {
      if (!isOrganisation(orgId) || !isSha256(sha256)) return null;
      const path = pathOf(join(directory, orgId), sha256);
      return (await sizeOfFile(path)) === null ? null : readRange(path, range);
    },
    async remove(orgId, sha256) {
      if (!isOrganisation(orgId) || !isSha256(sha256)) return;
      await rm(pathOf(join(directory, orgId), sha256), { force: true });
    },
  };
}

function pathOf(organisation: string, sha256: string): string {
  return join(shelfOf(organisation, sha256), sha256);
}

function shelfOf(organisation: string, sha256: string): string {
  return join(organisation, sha256.slice(0, 2));
}
