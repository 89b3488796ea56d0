/**
 * Errors of the stores, identified by `code`. Errors of the file system (such as `ENOSPC`) pass through
 * unchanged.
 */
export class FileStoreError extends Error {
  readonly code: FileStoreErrorCode;

  constructor(code: FileStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileStoreError';
    this.code = code;
  }
}

/**
 * `source-failed`: the content ended early. `malformed-organisation`: the id cannot be an organisation's.
 * `content-removing`: the same content is removed at this moment. `too-many-uploads`: an organisation has too many open resumable uploads. The others come from object
 * stores: `file-store-away` when the store cannot be reached or fails, `file-store-denied` when it rejects
 * our key, `file-store-missing` when it has no such bucket, `file-store-full` when it has no room.
 */
export type FileStoreErrorCode =
  | 'source-failed'
  | 'malformed-organisation'
  | 'content-removing'
  | 'too-many-uploads'
  | 'file-store-away'
  | 'file-store-denied'
  | 'file-store-missing'
  | 'file-store-full';

/**
 * Passes the content on. A failure of the source is distinguished from failures of the store; errors with a code are
 * kept.
 */
export async function* nameSourceFailure(
  content: AsyncIterable<Uint8Array>,
  note: (failure: Error) => void = () => {},
): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (cause) {
    const failure = name(cause);
    note(failure);
    throw failure;
  }
}

function name(cause: unknown): Error {
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause;
  return new FileStoreError('source-failed', 'The content broke off before its end.', { cause });
}
