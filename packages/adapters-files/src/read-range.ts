import { open } from 'node:fs/promises';

const CHUNK_BYTES = 64 * 1024;

interface Reading {
  readonly start: number;
  readonly end: number;
  /** The buffer for each chunk; without it, each chunk has its own. */
  readonly lent?: Uint8Array;
}

/**
 * The bytes of a file from `start` up to, but not including, `end`. The file is opened when the first chunk
 * is requested and closed when the reader stops, so a reader that never starts holds nothing open.
 */
export async function* readRange(
  path: string,
  { start, end, lent }: Reading = { start: 0, end: Infinity },
): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    let position = start;
    while (position < end) {
      const buffer = lent ?? Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - position));
      const wanted = Math.min(buffer.length, end - position);
      const { bytesRead } = await file.read(buffer, 0, wanted, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
