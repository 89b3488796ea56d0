import type { S3Bucket } from './s3-bucket.ts';

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
