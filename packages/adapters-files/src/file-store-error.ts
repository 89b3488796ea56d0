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
