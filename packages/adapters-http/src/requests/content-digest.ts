import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * The content does not match its announced digest. Thrown before the content ends, so that nothing is
 * stored.
 */
export class DigestMismatchError extends Error {
  readonly code = 'digest-mismatch';
}

/**
 * The SHA-256, in hex, that `Repr-Digest` or `Content-Digest` announces (RFC 9530); null when neither does,
 * and a sentence when one cannot be parsed. Other algorithms are ignored, as the RFC requires.
 */
export function readContentDigest(
  headers: IncomingHttpHeaders,
): { readonly sha256: string | null } | { readonly problem: string } {
  for (const name of ['repr-digest', 'content-digest']) {
    const [, value] = /(?:^|,)\s*sha-256=([^,;]*)/.exec(String(headers[name] ?? '')) ?? [];
    if (value === undefined) continue;
    const [, base64 = ''] = /^:([0-9A-Za-z+/]{43}=):\s*$/.exec(value) ?? [];
    if (base64 === '') {
      return {
        problem: `“${name}” must hold the SHA-256 in Base64 between colons: sha-256=:…:, or be left out.`,
      };
    }
    return { sha256: Buffer.from(base64, 'base64').toString('hex') };
  }
  return { sha256: null };
}

/** The same as a header of ours. */
export function writeContentDigest(sha256: string): string {
  return `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`;
}

/** Passes the content on and fails at its end if the digest differs. */
export async function* checkDigest(
  content: AsyncIterable<Uint8Array>,
  sha256: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sha256) throw new DigestMismatchError('The content has another SHA-256.');
}
