import type { SignInTokens } from '@handover/domain';
import type { Keyring } from './keyring.ts';
import { KEY_NUMBER_BYTES } from './keyring.ts';
import { bytesToUuid, isMac, macOf, UUID_BYTES, uuidToBytes } from './sealed-id.ts';

const MAC_BYTES = 32;
/** 51 bytes are 68 base64url characters without spare bits: every token has exactly one spelling. */
const TOKEN_BYTES = KEY_NUMBER_BYTES + UUID_BYTES + MAC_BYTES;
const TOKEN_SHAPE = /^[A-Za-z0-9_-]{68}$/;

/**
 * Tokens of one-time links: key number, sign-in, and a MAC over them. The job and the table contain only the id,
 * which does not sign anyone in.
 */
export function createSignInTokens(keyring: Keyring, siteUrl: string): SignInTokens {
  return {
    open: (token) => {
      if (!TOKEN_SHAPE.test(token)) return null;
      const bytes = Buffer.from(token, 'base64url');
      const found = keyring.byNumber('sign-in-token', bytes.subarray(0, KEY_NUMBER_BYTES));
      const content = bytes.subarray(0, TOKEN_BYTES - MAC_BYTES);
      const mac = bytes.subarray(TOKEN_BYTES - MAC_BYTES);
      if (!found || !isMac(mac, content, found.key)) return null;
      return bytesToUuid(content.subarray(KEY_NUMBER_BYTES));
    },
    url: (signInId) => {
      const { number, key } = keyring.current('sign-in-token');
      const content = Buffer.concat([number, uuidToBytes(signInId)]);
      const token = Buffer.concat([content, macOf(content, key, MAC_BYTES)]).toString('base64url');
      return `${siteUrl}/dashboard/sign-in/${token}`;
    },
  };
}
