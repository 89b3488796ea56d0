// Run by a test under a limit of the size that files may have: the nearest thing to a full disk that needs no disk.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Upload } from '@tus/server';
import { createDiskFileStore, createUploadStaging } from '../src/index.ts';

async function* endless(): AsyncGenerator<Uint8Array> {
  try {
    for (;;) yield new Uint8Array(10_000).fill(7);
  } finally {
    console.log('source closed');
  }
}

const [, , directory = '', orgId = '', how = 'whole'] = process.argv;
const files = createDiskFileStore(directory);
try {
  if (how === 'whole') await files.store(orgId, endless());
  else await stagePieces();
} catch (error) {
  console.log(error instanceof Error && 'code' in error ? error.code : error);
}

/** A full disk keeps what had come in of a staged upload, and knows how much that is. */
async function stagePieces(): Promise<void> {
  const pieces = await createUploadStaging({ directory, files }).pieces();
  const id = `${orgId}.${randomUUID()}`;
  await pieces.create(new Upload({ id, offset: 0, size: 1_000_000_000 }));
  try {
    await pieces.write(Readable.from(endless()), id, 0);
  } finally {
    console.log((await pieces.getUpload(id)).offset > 0 ? 'some is kept' : 'nothing is kept');
  }
}
