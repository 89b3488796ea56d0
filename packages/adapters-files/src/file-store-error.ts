/**
 * What the stores throw by themselves. Recognised by `code`, as are the file system's own errors (`ENOSPC` and its kin),
 * which pass through as they are.
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
 * `source-failed`: the content broke off. `malformed-organisation`: an id that no organisation can have.
 * `too-many-uploads`: an organisation began more in pieces than it may have open. The others are
 * of object stores: `file-store-away` when it cannot be reached or fails by itself, `file-store-denied` when it does not
 * accept our key, `file-store-missing` when it has no such bucket, `file-store-full` when it has no room.
 */
export type FileStoreErrorCode =
  | 'source-failed'
  | 'malformed-organisation'
  | 'too-many-uploads'
  | 'file-store-away'
  | 'file-store-denied'
  | 'file-store-missing'
  | 'file-store-full';
