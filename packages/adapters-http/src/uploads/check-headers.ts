import type { IncomingHttpHeaders } from 'node:http';
import { isEncoded } from '../requests/content-encoding.ts';
import { ENCODED } from '../requests/receive-file.ts';

/**
 * Why the headers of a tus request are invalid, in a sentence that names the header; null when they are
 * valid.
 */
export function findHeaderProblem(method: string, headers: IncomingHttpHeaders): string | null {
  const rules = [...(RULES[method] ?? []), ...EVERYWHERE];
  for (const [isBroken, sentence] of rules) if (isBroken(headers)) return sentence;
  return null;
}

type Rule = readonly [isBroken: (headers: IncomingHttpHeaders) => boolean, sentence: string];

const has = (name: string) => (headers: IncomingHttpHeaders) => headers[name] !== undefined;
const isNoCount = (name: string) => (headers: IncomingHttpHeaders) => !isCount(headers[name]);

/** A number of bytes in its canonical spelling. */
function isCount(value: unknown): boolean {
  return typeof value === 'string' && /^(0|[1-9]\d*)$/.test(value) && Number.isSafeInteger(Number(value));
}

const EVERYWHERE: readonly Rule[] = [
  [
    has('upload-checksum'),
    '“Upload-Checksum” is not supported. Give the SHA-256 of the whole file as “sha256” in Upload-Metadata.',
  ],
  [isEncoded, ENCODED],
];

const RULES: Readonly<Record<string, readonly Rule[]>> = {
  POST: [
    [
      has('upload-concat'),
      '“Upload-Concat” is not supported. Send the file as one upload, its pieces one after another; switch parallel uploads off in the tus client.',
    ],
    [
      (headers) => has('upload-defer-length')(headers) && headers['upload-defer-length'] !== '1',
      '“Upload-Defer-Length” must be 1, or be left out.',
    ],
    [
      (headers) => has('upload-length')(headers) === has('upload-defer-length')(headers),
      'Send either “Upload-Length”, the bytes of the whole file, or “Upload-Defer-Length: 1”.',
    ],
    [
      (headers) => has('upload-length')(headers) && isNoCount('upload-length')(headers),
      '“Upload-Length” must be the bytes of the whole file, such as 1048576.',
    ],
  ],
  PATCH: [
    [
      isNoCount('upload-offset'),
      '“Upload-Offset” must be the bytes that have come in so far. Ask for it with HEAD.',
    ],
    [({ 'content-type': type }) => type !== PIECE, '“Content-Type” must be application/offset+octet-stream.'],
    [
      (headers) => has('upload-length')(headers) && isNoCount('upload-length')(headers),
      '“Upload-Length” must be the bytes of the whole file, or be left out.',
    ],
  ],
};

const PIECE = 'application/offset+octet-stream';
