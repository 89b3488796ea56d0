import type { AnnounceContent, ContentAddress } from '@handover/domain';
import { FileStoreError } from './file-store-error.ts';

const ORGANISATION = /^[0-9a-z][0-9a-z_-]{0,127}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** Ids and hashes become parts of paths, so anything else is rejected. */
export function isOrganisation(orgId: string): boolean {
  return ORGANISATION.test(orgId);
}

export function isSha256(sha256: string): boolean {
  return SHA256.test(sha256);
}

/** For a content that is to be stored. @throws where the id cannot be that of an organisation. */
export function requireOrganisation(orgId: string): void {
  if (!isOrganisation(orgId)) {
    throw new FileStoreError('malformed-organisation', 'That is not the id of an organisation.');
  }
}

/** Announces a content before it is at its place; throws if it may not be stored now. */
export async function announceOrRefuse(
  announce: AnnounceContent | undefined,
  content: ContentAddress,
): Promise<void> {
  if ((await announce?.(content)) === 'removing') {
    throw new FileStoreError('content-removing', 'The same content is removed at this moment.');
  }
}
