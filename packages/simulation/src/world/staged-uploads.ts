import type { ProductFile, StagedUploads, StoredContent } from '@handover/domain';

/** Uploads in memory. The received bytes are kept until they are a file, or are given up. */
export interface Staging {
  readonly port: StagedUploads;
  /** Simulates that the whole upload has arrived. */
  receive(uploadId: string, content: StoredContent): void;
}

export function createStaging(): Staging {
  const staged = new Map<string, StoredContent>();
  const completed = new Map<string, ProductFile>();
  return {
    port: {
      keep: async (_orgId, uploadId, expectedSha256) => {
        const content = staged.get(uploadId);
        if (!content) return 'damaged';
        return expectedSha256 === null || expectedSha256 === content.sha256 ? content : 'damaged';
      },
      complete: async (uploadId, file) => {
        completed.set(uploadId, file);
        staged.delete(uploadId);
      },
      findCompleted: async (uploadId) => completed.get(uploadId) ?? null,
      discard: async (uploadId) => {
        staged.delete(uploadId);
        completed.delete(uploadId);
      },
    },
    receive: (uploadId, content) => {
      staged.set(uploadId, content);
    },
  };
}
