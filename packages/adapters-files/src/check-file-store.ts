import { randomUUID } from 'node:crypto';
import { mkdir, opendir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStoreError } from './file-store-error.ts';
import { openS3Bucket, type S3Limits, type S3Place } from './s3-bucket.ts';

const CHECK_LIMIT_MS = 5_000;

/** Creates a check that rejects while the directory of the files cannot be read. It may still have to be made. */
export function createDiskCheck(directory: string): () => Promise<void> {
  return async () => {
    // Opened, and not only looked up: its parent may let us see a directory of another user, or of a disk that is gone.
    const found = await opendir(directory).catch((error) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await found?.close();
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

/** Writes an object where files are kept, reads it and deletes it. Throws what the disk says. */
export async function probeDisk(directory: string): Promise<void> {
  const path = join(directory, `.probe-${randomUUID()}`);
  await mkdir(directory, { recursive: true });
  try {
    await writeFile(path, path, { flag: 'wx' });
    compare(await readFile(path, 'utf8'), path);
  } finally {
    await rm(path, { force: true });
  }
}

/** The same in a bucket, in the folder that a lifecycle rule empties. */
export async function probeBucket(place: S3Place, limits?: S3Limits): Promise<void> {
  const bucket = openS3Bucket(place, limits);
  const object = { Bucket: place.bucket, Key: `${place.prefix}.uploads/probe-${randomUUID()}` };
  await bucket.askBriefly((client, { PutObjectCommand }, options) =>
    client.send(new PutObjectCommand({ ...object, Body: object.Key }), options),
  );
  try {
    const read = await bucket.askBriefly(async (client, { GetObjectCommand }, options) =>
      // Read within the limit: a store that is silent after its first answer must not keep the caller for ever.
      (await client.send(new GetObjectCommand(object), options)).Body?.transformToString(),
    );
    compare(read ?? '', object.Key);
  } finally {
    await bucket.askBriefly((client, { DeleteObjectCommand }, options) =>
      client.send(new DeleteObjectCommand(object), options),
    );
  }
}

function compare(read: string, written: string): void {
  if (read !== written) throw new Error('What was read is not what was written.');
}
