import type { AnnounceContent, ContentAddress } from '@handover/domain';
import { FileStoreError } from './file-store-error.ts';

/** Announces a content before it is at its place; throws if it may not be stored now. */
export async function announceOrRefuse(
  announce: AnnounceContent | undefined,
  content: ContentAddress,
): Promise<void> {
  if ((await announce?.(content)) === 'removing') {
    throw new FileStoreError('content-removing', 'The same content is removed at this moment.');
  }
}
