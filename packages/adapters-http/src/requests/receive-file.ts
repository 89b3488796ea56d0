import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { formatSize } from '../pages/words.ts';
import { isEncoded } from './content-encoding.ts';

export interface FileLimits {
  /** How long the sender may pause. */
  readonly silenceMs: number;
  readonly maxFileSize: number;
}

/** A rejected file, with a sentence for its sender. */
export class UploadError extends Error {
  readonly code: 'upload-stalled' | 'file-too-large' | 'upload-unreadable' | 'content-encoding';

  constructor(code: UploadError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Streams the bytes of a file from a request. They are not buffered, so they have no deadline, but the
 * sender must not pause too long. Only the time spent waiting for bytes counts: a slow file store is not
 * the sender's fault.
 * @throws UploadError
 */
export async function* receiveFile(
  body: Readable,
  { silenceMs, maxFileSize }: FileLimits,
  announced = 0,
): AsyncGenerator<Uint8Array> {
  if (announced > maxFileSize) throw tooLarge(maxFileSize);
  // A store that stops reading must not close the connection, or the client could not read the error.
  const chunks: AsyncIterator<Uint8Array> = body.iterator({ destroyOnReturn: false });
  let received = 0;
  for (;;) {
    const next = await withoutSilence(chunks.next(), silenceMs);
    if (next.done) return;
    received += next.value.length;
    if (received > maxFileSize) throw tooLarge(maxFileSize);
    yield next.value;
  }
}

/** @throws UploadError when no chunk arrives in that time. */
export async function withoutSilence<T>(next: Promise<T>, silenceMs: number): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const sentence = `Nothing came for ${silenceMs / 1000} s, so the upload was broken off. Send it again.`;
  const timer = setTimeout(() => reject(new UploadError('upload-stalled', sentence)), silenceMs);
  try {
    return await Promise.race([next, silence]);
  } finally {
    clearTimeout(timer);
  }
}

export function tooLarge(maxFileSize: number): UploadError {
  return new UploadError('file-too-large', describeMaxFileSize(maxFileSize));
}

export function describeMaxFileSize(maxFileSize: number): string {
  return `A file may have ${formatSize(maxFileSize)} at most (${maxFileSize} bytes). Send a smaller one or several, or ask the operator of this service to raise MAX_FILE_SIZE.`;
}

/**
 * The bytes of a file are stored as received: with a content encoding they would be another file.
 * @throws UploadError
 */
export function refuseEncodedFile(headers: IncomingHttpHeaders): void {
  if (isEncoded(headers)) throw new UploadError('content-encoding', ENCODED);
}

export const ENCODED = 'Send the file as it is, without “Content-Encoding”.';
