import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { type ByteRange, countBytes, type ProductFile } from '@handover/domain';
import type { FastifyReply } from 'fastify';
import { refuseAsText } from '../requests/answer-error.ts';
import { startChunks } from '../streaming/send-chunks.ts';
import { entityTag, type FileAnswer } from './evaluate-file-request.ts';

const CONTENT_TYPE = 'application/octet-stream';

/** Reads a range of the file. A chunk is valid until the next one is requested. */
export type ReadRange = (range: ByteRange) => AsyncIterable<Uint8Array>;

/**
 * Sends a file, or the requested ranges of it, at the client's speed. Without `read` (for HEAD) it sends no
 * body.
 */
export async function sendFile(
  reply: FastifyReply,
  file: ProductFile,
  answer: FileAnswer,
  read: ReadRange | null,
): Promise<FastifyReply> {
  switch (answer.kind) {
    case 'not-modified':
      return reply.code(304).headers(describeState(file)).send();
    case 'precondition-failed':
      return refuseAsText(reply, 412, 'The file is not the one that If-Match names.');
    case 'unsatisfiable':
      reply.header('content-range', `bytes */${file.size}`);
      return refuseAsText(
        reply,
        416,
        `The file has ${file.size} bytes: none of the ranges is within it, or they are too many.`,
      );
    case 'whole':
      return sendBody(reply, 200, file, {
        length: file.size,
        body: read && exactly(read, { start: 0, end: file.size }),
      });
    case 'ranges':
      return sendRanges(reply, file, answer.ranges, read);
  }
}

function sendRanges(
  reply: FastifyReply,
  file: ProductFile,
  ranges: readonly ByteRange[],
  read: ReadRange | null,
): Promise<FastifyReply> {
  const [first, ...more] = ranges;
  if (first && more.length === 0) {
    reply.header('content-range', contentRange(first, file.size));
    return sendBody(reply, 206, file, {
      length: first.end - first.start,
      body: read && exactly(read, first),
    });
  }
  const parts = makeByteParts(ranges, { size: file.size, contentType: CONTENT_TYPE });
  const body = read && parts.write((range) => exactly(read, range));
  return sendBody(reply, 206, file, { length: parts.length, body }, parts.contentType);
}

async function sendBody(
  reply: FastifyReply,
  status: 200 | 206,
  file: ProductFile,
  { length, body }: { readonly length: number; readonly body: AsyncIterable<Uint8Array> | null },
  contentType = CONTENT_TYPE,
): Promise<FastifyReply> {
  const send = body && (await startChunks(body));
  reply.code(status).headers({
    ...describeState(file),
    'content-type': contentType,
    'content-length': length,
    'content-disposition': contentDisposition(file.name),
    'repr-digest': `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  });
  return send ? send(reply) : reply.send();
}

function describeState(file: ProductFile) {
  return {
    etag: entityTag(file),
    'accept-ranges': 'bytes',
    // The buyer's browser may store the file, but must revalidate it each time: the link may have been
    // revoked.
    'cache-control': 'private, no-cache',
  };
}

/**
 * Content of another length than announced must break the connection: otherwise the client would wait for
 * ever.
 */
async function* exactly(read: ReadRange, range: ByteRange): AsyncIterable<Uint8Array> {
  const length = range.end - range.start;
  let sent = 0;
  for await (const chunk of read(range)) {
    sent += chunk.length;
    if (sent > length) break;
    yield chunk;
  }
  if (sent !== length) throw new Error(`The stored file gave not the ${length} bytes that it should hold.`);
}

/** Several ranges of a file as one body (RFC 9110, section 14.6). */
interface ByteParts {
  readonly contentType: string;
  readonly length: number;
  /** Writes the parts with the bytes that `read` returns for each range. */
  write(read: (range: ByteRange) => AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

function makeByteParts(
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

function contentRange({ start, end }: ByteRange, size: number): string {
  return `bytes ${start}-${end - 1}/${size}`;
}

/**
 * `attachment` with a file name that every browser reads correctly: ASCII for old browsers (RFC 6266),
 * followed by the exact name where ASCII would lose something (RFC 8187).
 */
export function contentDisposition(fileName: string): string {
  const name = fileName.toWellFormed();
  // Some browsers decode %xx in the plain form too, and unescape quotes and backslashes in different ways.
  const plain = name.replace(/[^\x20-\x7e]|["%\\]/gu, '_');
  const header = `attachment; filename="${plain}"`;
  return plain === name ? header : `${header}; filename*=UTF-8''${encodeExtended(name)}`;
}

function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
