import type { IncomingHttpHeaders } from 'node:http';

/** No request body is ever decompressed: one that is compressed is refused, and told why. */
export function isEncoded({ 'content-encoding': encoding = '' }: IncomingHttpHeaders): boolean {
  return !['', 'identity'].includes(encoding.trim().toLowerCase());
}

/** A JSON body or a form in a content encoding. */
export class EncodedBodyError extends Error {
  readonly code = 'content-encoding';

  constructor() {
    super('Send the body as it is, without “Content-Encoding”.');
  }
}
