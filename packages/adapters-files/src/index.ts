export { createDiskFileStore } from './create-disk-file-store.ts';
export type { FileStoreErrorCode } from './file-store-error.ts';
export { FileStoreError } from './file-store-error.ts';
