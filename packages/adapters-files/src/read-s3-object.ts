import { Readable } from 'node:stream';
import { FileStoreError } from './file-store-error.ts';
import { nameS3Failure } from './name-s3-failure.ts';
import { type S3Bucket, SILENT } from './s3-bucket.ts';

/** Consecutive attempts without a byte, of a transfer that had begun. The first answer must not take that long. */
const MAX_FAILED_TRIES = 3;

/**
 * The bytes of an object from `start` up to, but not including, `end`. The request starts with the first
 * chunk and ends when the reader stops. Stores hang up on readers that pause, so an interrupted read
 * resumes at its offset: content under a hash never changes.
 */
export async function* readS3Object(
  bucket: S3Bucket,
  key: string,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array> {
  let position = start;
  let failedTries = 0;
  while (position < end) {
    try {
      for await (const chunk of endWhenSilent(
        await getRange(bucket, key, position, end),
        bucket.limits.chunkMs,
      )) {
        position += chunk.length;
        failedTries = 0;
        yield chunk;
      }
      if (position < end) throw new FileStoreError('file-store-away', 'The file store broke off.');
    } catch (error) {
      const failure = nameS3Failure(error, bucket.bucket);
      failedTries += 1;
      if (position === start || failedTries >= MAX_FAILED_TRIES || !isAway(failure)) throw failure;
    }
  }
}

async function getRange(bucket: S3Bucket, key: string, start: number, end: number): Promise<Readable> {
  const { Body } = await bucket.askBriefly((client, { GetObjectCommand }, options) =>
    client.send(
      new GetObjectCommand({ Bucket: bucket.bucket, Key: key, Range: `bytes=${start}-${end - 1}` }),
      options,
    ),
  );
  if (Body instanceof Readable) return Body;
  throw new Error('The object store’s client gave no stream.');
}

/** Only the time in which the store is waited for counts, not that of the reader. */
async function* endWhenSilent(body: Readable, limitMs: number): AsyncGenerator<Uint8Array> {
  const end = () => body.destroy(new FileStoreError('file-store-away', SILENT));
  let timer = setTimeout(end, limitMs);
  try {
    for await (const chunk of body) {
      clearTimeout(timer);
      yield chunk;
      timer = setTimeout(end, limitMs);
    }
  } finally {
    clearTimeout(timer);
  }
}

function isAway(error: unknown): boolean {
  return error instanceof FileStoreError && error.code === 'file-store-away';
}
