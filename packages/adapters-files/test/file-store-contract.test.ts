import { createHash } from 'node:crypto';
import { createInMemoryFileStore } from '@handover/domain/memory';
import { fileStoreContract } from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import { createDiskFileStore } from '../src/index.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('files on disk', () => {
  fileStoreContract({ describe, it, expect }, async () => createDiskFileStore(await temporaryDirectory()));
});

describe('files in memory', () => {
  fileStoreContract({ describe, it, expect }, () => createInMemoryFileStore(sha256));
});
