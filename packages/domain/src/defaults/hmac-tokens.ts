import { DomainError } from '../model/errors.ts';
import type { LinkAddresses, LinkTokenReader, NamedLink } from '../ports/downloads.ts';
import { encodeUtf8, type HmacKey, toHex, webCrypto } from './web-apis.ts';

/** Signed tokens for links, for which nothing is stored. */
export interface HmacTokens extends LinkAddresses, LinkTokenReader {
  seal(orgId: string, linkId: string): Promise<string>;
  open(token: string): Promise<NamedLink | null>;
}

const MAC_BYTES = 16;

/**
 * Signs the ids of a link with HMAC-SHA-256 and a secret of at least 32 characters: `{orgId}.{linkId}.{mac}`. Without a secret it
 * generates one, and its tokens are valid in this process only.
 *
 * @throws {DomainError} `short-secret`
 */
export function createHmacTokens({
  siteUrl = 'http://localhost:3000',
  secret = toHex(webCrypto.getRandomValues(new Uint8Array(32))),
}: {
  readonly siteUrl?: string;
  readonly secret?: string;
} = {}): HmacTokens {
  if (secret.length < 32) throw new DomainError('short-secret', 'secret must have at least 32 characters.');
  let imported: Promise<HmacKey> | undefined;

  const seal = async (orgId: string, linkId: string) => {
    imported ??= importKey(secret);
    const content = `${escapeId(orgId)}.${escapeId(linkId)}`;
    const mac = await webCrypto.subtle.sign('HMAC', await imported, encodeUtf8(content));
    return `${content}.${toHex(new Uint8Array(mac, 0, MAC_BYTES))}`;
  };

  return {
    seal,
    open: async (token) => {
      const [orgId, linkId, mac, ...rest] = token.split('.').map(unescapeId);
      if (!orgId || !linkId || !mac || rest.length > 0) return null;
      return isSame(token, await seal(orgId, linkId)) ? { orgId, linkId } : null;
    },
    url: async (orgId, linkId) => `${siteUrl}/d/${await seal(orgId, linkId)}`,
    myUrl: () => `${siteUrl}/my`,
  };
}

function importKey(secret: string): Promise<HmacKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' } as const;
  return webCrypto.subtle.importKey('raw', encodeUtf8(secret), algorithm, false, ['sign']);
}

/** Escapes dots as well, because a dot separates the ids. */
function escapeId(id: string): string {
  return encodeURIComponent(id).replaceAll('.', '%2E');
}

function unescapeId(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Compares in constant time. */
function isSame(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < b.length; at += 1) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}
