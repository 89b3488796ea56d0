import { FileStoreError } from './file-store-error.ts';

/**
 * Maps an object store's error, or its silence, to one of our errors. Unknown errors pass through
 * unchanged.
 */
export function nameS3Failure(cause: unknown, bucket: string): unknown {
  if (cause instanceof FileStoreError) return cause;
  const { name, code, status } = readFailure(cause);
  const fail = (kind: FileStoreError['code'], message: string) =>
    new FileStoreError(kind, message, { cause });
  if (name === 'NoSuchBucket') {
    return fail(
      'file-store-missing',
      `The file store has no bucket “${bucket}”. Create it, or correct FILES_URL.`,
    );
  }
  if (status === 403 || DENIED.has(name)) {
    return fail(
      'file-store-denied',
      `The file store does not accept our key for the bucket “${bucket}” (${name}). Look at the AWS_… variables.`,
    );
  }
  if (status === 507 || FULL.test(name)) return fail('file-store-full', 'The file store has no room left.');
  if (status >= 500 || AWAY.has(code) || AWAY.has(name)) {
    return fail('file-store-away', `The file store cannot be reached right now (${code || name}).`);
  }
  return cause;
}

/** Includes the SDK's own failure to find credentials. */
const DENIED = new Set([
  'AccessDenied',
  'AllAccessDisabled',
  'CredentialsProviderError',
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'SignatureDoesNotMatch',
]);

/** Codes of MinIO, Ceph and similar stores; Amazon S3 has no such limit. */
const FULL = /^(XMinioStorageFull|QuotaExceeded|InsufficientStorage|InsufficientCapacity)/;

const AWAY = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ETIMEDOUT',
  'RequestTimeout',
  'RequestTimeTooSkewed',
  'SlowDown',
  'TimeoutError',
]);

function readFailure(cause: unknown) {
  const members: { name?: unknown; code?: unknown; $metadata?: { httpStatusCode?: unknown } } =
    typeof cause === 'object' && cause !== null ? cause : {};
  const status = members.$metadata?.httpStatusCode;
  return {
    name: typeof members.name === 'string' ? members.name : '',
    code: typeof members.code === 'string' ? members.code : '',
    status: typeof status === 'number' ? status : 0,
  };
}

/** Whether the object store reports that there is no such object. */
export function isNotFound(cause: unknown): boolean {
  const { name, status } = readFailure(cause);
  return status === 404 && name !== 'NoSuchBucket';
}
