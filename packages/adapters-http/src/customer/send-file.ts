import type { ProductFile } from '@handover/domain';
import type { FastifyReply } from 'fastify';
import { startStream } from '../streaming/start-stream.ts';
import { contentDisposition } from './content-disposition.ts';

/** Sends a file as fast as its reader takes it; null content (for HEAD) sends its headers only. */
export async function sendFile(
  reply: FastifyReply,
  { file, content }: { readonly file: ProductFile; readonly content: AsyncIterable<Uint8Array> | null },
): Promise<FastifyReply> {
  const stream = content && (await startStream(wholeOrBroken(content, file.size)));
  reply.headers({
    'content-type': 'application/octet-stream',
    'content-length': file.size,
    'content-disposition': contentDisposition(file.name),
    etag: `"${file.sha256}"`,
    'accept-ranges': 'none',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  });
  return stream ? reply.send(stream) : reply.send();
}

/** Content of another length than was promised must break the connection: else its reader would wait for ever. */
async function* wholeOrBroken(content: AsyncIterable<Uint8Array>, size: number): AsyncIterable<Uint8Array> {
  let sent = 0;
  for await (const chunk of content) {
    sent += chunk.length;
    if (sent > size) break;
    yield chunk;
  }
  if (sent !== size)
    throw new Error(`The stored file has not the ${size} bytes that it had when it was stored.`);
}
