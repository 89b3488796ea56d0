import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type ByteRange, countBytes, type ProductFile } from '@handover/domain';
import type { FastifyReply } from 'fastify';
import { refuseAsText } from '../requests/answer-error.ts';
import { writeContentDigest } from '../requests/content-digest.ts';
import { addLogContext } from '../requests/request-log.ts';
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
    'repr-digest': writeContentDigest(file.sha256),
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

/**
 * Resolves when the response is the first of its connection, or the connection is closed. A client can send any number of
 * requests at once (pipelining): no file is opened for a response that waits for the ones before it.
 */
export async function untilItsTurn(answer: ServerResponse): Promise<void> {
  if (answer.socket || answer.destroyed) return;
  await new Promise<unknown>((resolve) => answer.once('socket', resolve).once('close', resolve));
}

/**
 * Sends a body chunk by chunk and requests the next chunk only when the last one has left this process, so
 * that all chunks can share one buffer. (A pipe queues several chunks, each in its own buffer; for twenty
 * fast downloads that came to 30 MB of garbage.) The first chunk is read before anything is sent, so that a
 * failure until then can still set the status. A client that disconnects ends the reading.
 */
export async function startChunks(
  chunks: AsyncIterable<Uint8Array>,
): Promise<(reply: FastifyReply) => FastifyReply> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (reply) => {
    const answer = reply.hijack().raw;
    // Not awaited: a source that hangs must not keep the connection open.
    const stopReading = () => void iterator.return?.().catch(() => undefined);
    // A client that left while the first chunk was read sends no further event: its file would stay open.
    if (answer.destroyed) stopReading();
    else answer.once('close', stopReading);
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) answer.setHeader(name, value);
    }
    answer.writeHead(reply.statusCode);
    sendAll(answer, first, iterator).catch((error) => {
      addLogContext(reply.request, { error });
      answer.destroy();
    });
    return reply;
  };
}

async function sendAll(
  answer: ServerResponse,
  first: IteratorResult<Uint8Array>,
  iterator: AsyncIterator<Uint8Array>,
): Promise<void> {
  for (let next = first; !next.done; next = await iterator.next()) {
    if (!(await send(answer, next.value))) return;
  }
  answer.end();
}

/** Resolves with true when the bytes have left this process, with false when the client is gone. */
function send(answer: ServerResponse, chunk: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    if (answer.destroyed) return resolve(false);
    const leave = () => resolve(false);
    answer.once('close', leave);
    answer.write(chunk, (error) => {
      answer.off('close', leave);
      resolve(!error);
    });
  });
}
