import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { AnnounceContent, FileStore } from '@handover/domain';
import { announceOrRefuse, isOrganisation, isSha256, requireOrganisation } from './content-address.ts';
import { nameSourceFailure } from './file-store-error.ts';
import { isNotFound } from './name-s3-failure.ts';
import { readS3Object } from './read-s3-object.ts';
import { openS3Bucket, type S3Bucket, type S3Limits, type S3Place } from './s3-bucket.ts';

const MIB = 1024 * 1024;
/** An upload holds two parts in memory. */
const PART_BYTES = 8 * MIB;
/** The largest file of a bucket, 83.9 GB: an object has at most 10,000 parts. */
export const MAX_S3_FILE_BYTES = 10_000 * PART_BYTES;

interface S3StoreOptions extends S3Place {
  /** Whether buyers are redirected to presigned URLs of the store. */
  readonly presigned: boolean;
  /** Larger objects are copied within the bucket part by part. */
  readonly copyPieceBytes?: number;
  readonly limits?: S3Limits;
  readonly announce?: AnnounceContent | undefined;
}

/**
 * Product files in a bucket, as `<prefix><organisation>/<first two digits>/<sha256>`. An upload streams to
 * a key under `<prefix>.uploads/` and is hashed on the way; once it is complete, the store copies it to its
 * final key.
 */
export function createS3FileStore({
  presigned,
  copyPieceBytes = 512 * MIB,
  limits,
  announce,
  ...place
}: S3StoreOptions): FileStore {
  const bucket = openS3Bucket(place, limits);
  const store: FileStore = {
    async store(orgId, content) {
      requireOrganisation(orgId);
      const temporary = `${place.prefix}.uploads/${randomUUID()}`;
      // A part may take minutes. A store that is silent is found out before that, and nothing is read in vain.
      await findSize(bucket, temporary);
      try {
        const received = await upload(bucket, temporary, content);
        await announceOrRefuse(announce, { orgId, sha256: received.sha256 });
        const key = keyOf(place, orgId, received.sha256);
        if ((await findSize(bucket, key)) !== received.size) {
          await copyS3Object(bucket, { from: temporary, to: key, size: received.size }, copyPieceBytes);
        }
        return received;
      } finally {
        // A lifecycle rule removes what cannot be removed now.
        await remove(bucket, temporary).catch(() => undefined);
      }
    },
    async open(orgId, sha256, range) {
      if (!isOrganisation(orgId) || !isSha256(sha256)) return null;
      const key = keyOf(place, orgId, sha256);
      const size = await findSize(bucket, key);
      if (size === null) return null;
      return readS3Object(bucket, key, {
        start: range?.start ?? 0,
        end: Math.min(range?.end ?? size, size),
      });
    },
    async remove(orgId, sha256) {
      if (isOrganisation(orgId) && isSha256(sha256)) await remove(bucket, keyOf(place, orgId, sha256));
    },
  };
  return presigned ? { ...store, presign: (...asked) => presign(bucket, ...asked) } : store;
}

function keyOf({ prefix }: S3Place, orgId: string, sha256: string): string {
  return `${prefix}${orgId}/${sha256.slice(0, 2)}/${sha256}`;
}

async function upload(bucket: S3Bucket, key: string, content: AsyncIterable<Uint8Array>) {
  const { Upload } = await import('@aws-sdk/lib-storage');
  const hash = createHash('sha256');
  let size = 0;
  let sourceFailure: Error | null = null;
  const note = (failure: Error) => {
    sourceFailure = failure;
  };
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of nameSourceFailure(content, note)) {
      hash.update(chunk);
      size += chunk.length;
      // A copy, because parts are collected from several chunks, and a source may reuse its buffer.
      yield Buffer.from(chunk);
    }
  }
  const source = Readable.from(hashed(), { objectMode: false });
  try {
    await bucket.ask((client) =>
      new Upload({
        client,
        params: { Bucket: bucket.bucket, Key: key, Body: source },
        partSize: PART_BYTES,
        queueSize: 1,
      }).done(),
    );
  } catch (error) {
    throw sourceFailure ?? error;
  } finally {
    source.destroy();
  }
  return { size, sha256: hash.digest('hex') };
}

/** Size in bytes, or null when there is no such object. */
async function findSize(bucket: S3Bucket, key: string): Promise<number | null> {
  const address = { Bucket: bucket.bucket, Key: key };
  return bucket.askBriefly(async (client, { GetObjectCommand, HeadObjectCommand }, options) => {
    try {
      const { ContentLength } = await client.send(new HeadObjectCommand(address), options);
      return ContentLength ?? null;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    // A HEAD response does not say what is missing. A GET response does: a missing bucket is not a missing
    // file.
    try {
      const { Body, ContentLength } = await client.send(new GetObjectCommand(address), options);
      if (Body instanceof Readable) Body.destroy();
      return ContentLength ?? null;
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  });
}

async function remove(bucket: S3Bucket, key: string): Promise<void> {
  await bucket.askOnce((client, { DeleteObjectCommand }, options) =>
    client.send(new DeleteObjectCommand({ Bucket: bucket.bucket, Key: key }), options),
  );
}

async function presign(
  bucket: S3Bucket,
  orgId: string,
  sha256: string,
  { seconds, disposition }: { readonly seconds: number; readonly disposition: string },
): Promise<string | null> {
  if (!isOrganisation(orgId) || !isSha256(sha256)) return null;
  const key = keyOf(bucket, orgId, sha256);
  if ((await findSize(bucket, key)) === null) return null;
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
  return bucket.ask((client, { GetObjectCommand }) => {
    const command = new GetObjectCommand({
      Bucket: bucket.bucket,
      Key: key,
      ResponseContentDisposition: disposition,
      ResponseContentType: 'application/octet-stream',
    });
    return getSignedUrl(client, command, { expiresIn: seconds });
  });
}

/**
 * Copies within the bucket, on the store's side. Above `pieceBytes` it copies part by part: one copy is
 * limited to 5 GB, and a response that takes minutes looks like one that never comes.
 */
export async function copyS3Object(
  bucket: S3Bucket,
  { from, to, size }: { readonly from: string; readonly to: string; readonly size: number },
  pieceBytes: number,
): Promise<void> {
  const source = {
    Bucket: bucket.bucket,
    Key: to,
    CopySource: `${bucket.bucket}/${from.split('/').map(encodeURIComponent).join('/')}`,
  };
  if (size > pieceBytes) return copyInPieces(bucket, source, size, pieceBytes);
  await bucket.ask((client, { CopyObjectCommand }) => client.send(new CopyObjectCommand(source)));
}

interface Copy {
  readonly Bucket: string;
  readonly Key: string;
  readonly CopySource: string;
}

async function copyInPieces(bucket: S3Bucket, copy: Copy, size: number, pieceBytes: number): Promise<void> {
  const target = { Bucket: copy.Bucket, Key: copy.Key };
  const { UploadId } = await bucket.ask((client, { CreateMultipartUploadCommand }) =>
    client.send(new CreateMultipartUploadCommand(target)),
  );
  const upload = { ...target, UploadId };
  try {
    const parts: { readonly PartNumber: number; readonly ETag: string | undefined }[] = [];
    for (let start = 0; start < size; start += pieceBytes) {
      const PartNumber = parts.length + 1;
      const CopySourceRange = `bytes=${start}-${Math.min(start + pieceBytes, size) - 1}`;
      const { CopyPartResult } = await bucket.ask((client, { UploadPartCopyCommand }) =>
        client.send(new UploadPartCopyCommand({ ...copy, UploadId, PartNumber, CopySourceRange })),
      );
      parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    await bucket.ask((client, { CompleteMultipartUploadCommand }) =>
      client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } })),
    );
  } catch (error) {
    // A store that cannot copy may not be able to clean up either: the first failure is the one to report.
    await bucket
      .ask((client, { AbortMultipartUploadCommand }) => client.send(new AbortMultipartUploadCommand(upload)))
      .catch(() => undefined);
    throw error;
  }
}
