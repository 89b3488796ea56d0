import type { Products, StagedUploads, StoredContent } from '../ports/catalogue.ts';
import {
  type AddVersionFileResult,
  checkFilePlace,
  type FilePlace,
  type PutVersionFileResult,
  putVersionFile,
} from './prepare-version.ts';

/** A resumable upload whose last byte has arrived. */
export interface WholeUpload extends FilePlace {
  readonly id: string;
  /** The SHA-256 that the client announced, 64 lower-case hex digits; null if it announced none. */
  readonly sha256: string | null;
}

/** `damaged`: the content has another hash than announced, so the upload was discarded. */
export type FinishUploadResult = AddVersionFileResult | { readonly kind: 'damaged' };

/**
 * Makes a complete upload a file of its version. Each step can be repeated, so that after a crash the next request for the
 * upload finishes it. An upload that can no longer become a file is discarded. `put`: the step that adds the file, which a
 * caller can replace to commit more with it; it is not called for an upload that is a file already.
 */
export async function finishUpload(
  ports: { readonly products: Products; readonly uploads: StagedUploads },
  upload: WholeUpload,
  put = (kept: StoredContent) => putVersionFile(ports, upload, kept),
): Promise<FinishUploadResult> {
  const completed = await ports.uploads.findCompleted(upload.id);
  if (completed) return { kind: 'added', file: completed, isNew: false };
  const result = await addKeptFile(ports, upload, put);
  if (result.kind === 'added') await ports.uploads.complete(upload.id, result.file);
  else await ports.uploads.discard(upload.id);
  return result;
}

async function addKeptFile(
  ports: { readonly products: Products; readonly uploads: StagedUploads },
  upload: WholeUpload,
  put: (kept: StoredContent) => Promise<PutVersionFileResult>,
): Promise<FinishUploadResult> {
  const checked = await checkFilePlace(ports, upload);
  if (checked.kind !== 'open') return checked;
  const kept = await ports.uploads.keep(upload.orgId, upload.id, upload.sha256);
  return kept === 'damaged' ? { kind: 'damaged' } : put(kept);
}
