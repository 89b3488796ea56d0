/** The sender's description of the file that an upload becomes. */
export interface UploadMetadata {
  readonly productId: string;
  readonly versionId: string;
  readonly name: string;
  readonly sha256: string | null;
}

/** Parses the `Upload-Metadata` of a new upload; a string describes what is wrong with it. */
export async function readUploadMetadata(header: string | undefined): Promise<UploadMetadata | string> {
  const { Metadata } = await import('@tus/server');
  try {
    return checkUploadMetadata(Metadata.parse(header));
  } catch {
    return checkUploadMetadata(null);
  }
}

/** Reads the metadata stored with an upload: it was validated when the upload was created. */
export function checkUploadMetadata(
  members: Readonly<Record<string, string | null>> | null | undefined,
): UploadMetadata | string {
  if (!members) {
    return '“Upload-Metadata” cannot be read. Send names and Base64 values: “productId …,versionId …,filename …”.';
  }
  const { productId, versionId, filename, sha256 = null } = members;
  if (!productId) return '“productId” is missing in Upload-Metadata. Send the id of the product.';
  if (!versionId) return '“versionId” is missing in Upload-Metadata. Send the id of the version.';
  if (!filename) return '“filename” is missing in Upload-Metadata. Send the name that buyers’ copies get.';
  if (sha256 !== null && !/^[0-9a-f]{64}$/.test(sha256)) {
    return '“sha256” in Upload-Metadata must be 64 lower-case hex digits, or left out.';
  }
  return { productId, versionId, name: filename, sha256 };
}
