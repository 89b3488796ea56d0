import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openS3Bucket, type S3Place } from './s3-bucket.ts';

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
export async function probeBucket(place: S3Place): Promise<void> {
  const bucket = openS3Bucket(place);
  const object = { Bucket: place.bucket, Key: `${place.prefix}.uploads/probe-${randomUUID()}` };
  await bucket.ask((client, { PutObjectCommand }) =>
    client.send(new PutObjectCommand({ ...object, Body: object.Key })),
  );
  try {
    const read = await bucket.ask((client, { GetObjectCommand }) =>
      client.send(new GetObjectCommand(object)),
    );
    compare((await read.Body?.transformToString()) ?? '', object.Key);
  } finally {
    await bucket.ask((client, { DeleteObjectCommand }) => client.send(new DeleteObjectCommand(object)));
  }
}

function compare(read: string, written: string): void {
  if (read !== written) throw new Error('What was read is not what was written.');
}
