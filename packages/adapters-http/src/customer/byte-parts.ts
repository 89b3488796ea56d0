import { randomBytes } from 'node:crypto';
import { type ByteRange, countBytes } from '@handover/domain';

/** Several ranges of a file as one body (RFC 9110, section 14.6). */
export interface ByteParts {
  readonly contentType: string;
  readonly length: number;
  /** Writes the parts with the bytes that `read` returns for each range. */
  write(read: (range: ByteRange) => AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

export function makeByteParts(
  ranges: readonly ByteRange[],
  { size, contentType }: { readonly size: number; readonly contentType: string },
): ByteParts {
  // 128 random bits: the file cannot contain them.
  const boundary = randomBytes(16).toString('hex');
  const parts = ranges.map((range) => ({
    range,
    head: Buffer.from(
      `\r\n--${boundary}\r\nContent-Type: ${contentType}\r\nContent-Range: ${contentRange(range, size)}\r\n\r\n`,
    ),
  }));
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/byteranges; boundary=${boundary}`,
    length: parts.reduce((sum, { head }) => sum + head.length, end.length) + countBytes(ranges),
    async *write(read) {
      for (const { head, range } of parts) {
        yield head;
        yield* read(range);
      }
      yield end;
    },
  };
}

export function contentRange({ start, end }: ByteRange, size: number): string {
  return `bytes ${start}-${end - 1}/${size}`;
}
