import { open } from 'node:fs/promises';

// Each chunk is memory until the collector comes by: of twice the size, twenty fast downloads took 20 to 30 MB more.
const CHUNK_BYTES = 32 * 1024;

/**
 * The bytes of a file from `start` up to, but not including, `end`. The file is opened when the first chunk is asked
 * for and closed when the reader stops, so that a reader who never begins holds nothing open.
 */
export async function* readRange(
  path: string,
  { start, end }: { readonly start: number; readonly end: number } = { start: 0, end: Infinity },
): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    let position = start;
    while (position < end) {
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - position));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
