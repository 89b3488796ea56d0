export { createDiskCheck, createS3Check, probeBucket, probeDisk } from './check-file-store.ts';
export { createDiskFileStore } from './create-disk-file-store.ts';
export { createS3FileStore, MAX_S3_FILE_BYTES } from './create-s3-file-store.ts';
export type { UploadStaging } from './create-upload-staging.ts';
export { createUploadStaging } from './create-upload-staging.ts';
export type { FileStoreErrorCode } from './file-store-error.ts';
export { FileStoreError } from './file-store-error.ts';
export type { S3Place } from './s3-bucket.ts';
