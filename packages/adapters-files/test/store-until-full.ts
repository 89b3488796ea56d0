// Run by a test under a limit of the size that files may have: the nearest thing to a full disk that needs no disk.
import { createDiskFileStore } from '../src/index.ts';

async function* endless(): AsyncGenerator<Uint8Array> {
  try {
    for (;;) yield new Uint8Array(10_000).fill(7);
  } finally {
    console.log('source closed');
  }
}

const [, , directory = '', orgId = ''] = process.argv;
try {
  await createDiskFileStore(directory).store(orgId, endless());
} catch (error) {
  console.log(error instanceof Error && 'code' in error ? error.code : error);
}
