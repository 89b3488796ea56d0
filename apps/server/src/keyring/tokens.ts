import { createHash, createHmac, type KeyObject, randomBytes } from 'node:crypto';
import {
  type DownloadTokens,
  type InvitationTokens,
  normalizeEmail,
  type SessionTokens,
  type SignInTokens,
} from '@handover/domain';
import { isSameSecret } from '@handover/platform-contract';
import type { KeyPurpose, Keyring } from './keyring.ts';
import { KEY_NUMBER_BYTES } from './keyring.ts';

/**
 * Download tokens: key number, organisation and link, in those of libraries also the address, and a MAC over them. No secret is stored, a token can be
 * recreated for another mail, and forged tokens are refused without a query.
 */
export function createDownloadTokens(keyring: Keyring, siteUrl: string): DownloadTokens {
  const { seal, open } = createIdTokens(keyring, { purpose: 'download-token', ids: 2, macBytes: 16 });
  const library = createIdTokens(keyring, { purpose: 'library-token', ids: 3, macBytes: 18 });
  return {
    seal,
    libraryUrl: (orgId, linkId, email) => `${siteUrl}/my/${library.seal(orgId, linkId, digestEmail(email))}`,
    openLibrary: (token) => {
      const [orgId, linkId, digest] = library.open(token);
      return orgId && linkId ? { orgId, linkId, isFor: (email) => digestEmail(email) === digest } : null;
    },
    open: (token) => {
      const [orgId, linkId] = open(token);
      return orgId && linkId ? { orgId, linkId } : null;
    },
    url: (orgId, linkId) => `${siteUrl}/d/${seal(orgId, linkId)}`,
    myUrl: () => `${siteUrl}/my`,
  };
}

/** As long as an id. Only somebody who has the mailbox gets a token with it. */
function digestEmail(email: string): string {
  return bytesToUuid(createHash('sha256').update(normalizeEmail(email)).digest().subarray(0, UUID_BYTES));
}

/** Tokens of invitations: key number, organisation and invitation, and a MAC over them. No secret is stored. */
export function createInvitationTokens(keyring: Keyring, siteUrl: string): InvitationTokens {
  // As long as sign-in tokens: an attacker who guessed one could sign in.
  const tokens = createIdTokens(keyring, { purpose: 'invitation-token', ids: 2, macBytes: 31 });
  return {
    open: (token) => {
      const [orgId, invitationId] = tokens.open(token);
      return orgId && invitationId ? { orgId, invitationId } : null;
    },
    url: (orgId, invitationId) => `${siteUrl}/dashboard/invitations/${tokens.seal(orgId, invitationId)}`,
  };
}

/**
 * Tokens of one-time links: key number, sign-in, and a MAC over them. The job and the table contain only the id,
 * which does not sign anyone in.
 */
export function createSignInTokens(keyring: Keyring, siteUrl: string): SignInTokens {
  const tokens = createIdTokens(keyring, { purpose: 'sign-in-token', ids: 1, macBytes: 32 });
  return {
    open: (token) => tokens.open(token)[0] ?? null,
    url: (signInId) => `${siteUrl}/dashboard/sign-in/${tokens.seal(signInId)}`,
  };
}

/** 33 bytes are 44 base64url characters without spare bits. */
const SESSION_BYTES = 33;

/** Random tokens. The database has only their hashes, which do not open a session. */
export function createSessionTokens(): SessionTokens {
  const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');
  return {
    mint: () => {
      const token = randomBytes(SESSION_BYTES).toString('base64url');
      return { token, hash: hashOf(token) };
    },
    hash: (token) => (/^[A-Za-z0-9_-]{44}$/.test(token) ? hashOf(token) : null),
  };
}

interface IdTokens {
  seal(...ids: readonly string[]): string;
  /** Empty for any token that we did not create, in any spelling but ours. */
  open(token: string): readonly string[];
}

/**
 * Tokens of a key number and ids, with a MAC over them. The total length must be a multiple of three bytes: then
 * base64url has no spare bits, and every token has exactly one spelling.
 */
function createIdTokens(
  keyring: Keyring,
  {
    purpose,
    ids,
    macBytes,
  }: { readonly purpose: KeyPurpose; readonly ids: number; readonly macBytes: number },
): IdTokens {
  const contentBytes = KEY_NUMBER_BYTES + ids * UUID_BYTES;
  const tokenBytes = contentBytes + macBytes;
  if (tokenBytes % 3 !== 0) throw new RangeError('A token must be a multiple of three bytes.');
  const tokenLength = (tokenBytes / 3) * 4;
  const macOf = (content: Uint8Array, key: KeyObject) =>
    createHmac('sha256', key).update(content).digest().subarray(0, macBytes);
  return {
    seal: (...sealed) => {
      const { number, key } = keyring.current(purpose);
      const token = Buffer.alloc(tokenBytes);
      token.set(number);
      token.write(sealed.join('').replaceAll('-', ''), KEY_NUMBER_BYTES, 'hex');
      token.set(macOf(token.subarray(0, contentBytes), key), contentBytes);
      return token.toString('base64url');
    },
    open: (token) => {
      if (token.length !== tokenLength || !/^[A-Za-z0-9_-]+$/.test(token)) return [];
      const bytes = Buffer.from(token, 'base64url');
      const found = keyring.byNumber(purpose, bytes.subarray(0, KEY_NUMBER_BYTES));
      const content = bytes.subarray(0, contentBytes);
      if (!found || !isSameSecret(bytes.subarray(contentBytes), macOf(content, found.key))) return [];
      return Array.from({ length: ids }, (_, at) => {
        const start = KEY_NUMBER_BYTES + at * UUID_BYTES;
        return bytesToUuid(content.subarray(start, start + UUID_BYTES));
      });
    },
  };
}

const UUID_BYTES = 16;

function bytesToUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
