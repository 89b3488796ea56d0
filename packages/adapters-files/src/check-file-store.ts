import { stat } from 'node:fs/promises';
import { FileStoreError } from './file-store-error.ts';
import { openS3Bucket, type S3Place } from './s3-bucket.ts';

const CHECK_LIMIT_MS = 5_000;

/** Creates a check that rejects while the directory of the files cannot be read. It may still have to be made. */
export function createDiskCheck(directory: string): () => Promise<void> {
  return async () => {
    await stat(directory).catch((error) => {
      if (error.code !== 'ENOENT') throw error;
    });
  };
}

/** Creates a check that rejects while the object store does not answer. A refusal is an answer. */
export function createS3Check(place: S3Place): () => Promise<void> {
  const bucket = openS3Bucket(place);
  return async () => {
    try {
      await bucket.ask((client, { HeadBucketCommand }) =>
        client.send(new HeadBucketCommand({ Bucket: place.bucket }), {
          abortSignal: AbortSignal.timeout(CHECK_LIMIT_MS),
        }),
      );
    } catch (error) {
      if (error instanceof FileStoreError && error.code !== 'file-store-away') return;
      throw error;
    }
  };
}
