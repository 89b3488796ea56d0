/**
 * What the store throws by itself. Recognised by `code`, as are the file system's own errors (`ENOSPC` and its kin),
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

/** `source-failed`: the content broke off. `malformed-organisation`: an id that no organisation can have. */
export type FileStoreErrorCode = 'source-failed' | 'malformed-organisation';
