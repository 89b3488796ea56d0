import { Buffer } from 'node:buffer';
import type { ByteRange, ProductFile } from '@handover/domain';
import type { FastifyReply } from 'fastify';
import { refuseAsText } from '../requests/answer-text.ts';
import { startChunks } from '../streaming/send-chunks.ts';
import { contentRange, makeByteParts } from './byte-parts.ts';
import { contentDisposition } from './content-disposition.ts';
import { entityTag, type FileAnswer } from './evaluate-file-request.ts';

const CONTENT_TYPE = 'application/octet-stream';

/** Reads a range of the file that is being sent. A chunk holds its bytes until the next one is asked for. */
export type ReadRange = (range: ByteRange) => AsyncIterable<Uint8Array>;

/** Sends a file, or what was asked of it, as fast as its reader takes it. Without `read` (for HEAD) no body. */
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
    // It may be kept by its buyer, but asked for anew each time: the link may have been withdrawn.
    'cache-control': 'private, no-cache',
  };
}

/** Content of another length than was promised must break the connection: else its reader would wait for ever. */
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
