import { createHash } from 'node:crypto';
import { createInMemoryFileStore } from '@handover/domain/memory';
import { fileStoreContract } from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { createDiskFileStore } from '../src/index.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('files on disk', () => {
  fileStoreContract({ describe, it, expect }, async () =>
    createDiskFileStore(await makeTemporaryDirectory()),
  );
});

describe('files in memory', () => {
  fileStoreContract({ describe, it, expect }, () => createInMemoryFileStore(sha256));
});
