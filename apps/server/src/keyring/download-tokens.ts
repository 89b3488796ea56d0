import type { DownloadTokens } from '@handover/domain';
import type { Keyring } from './keyring.ts';
import { KEY_NUMBER_BYTES } from './keyring.ts';
import { bytesToUuid, isMac, macOf, UUID_BYTES, uuidToBytes } from './sealed-id.ts';

const MAC_BYTES = 16;
/** 51 bytes are 68 base64url characters with no bit to spare: every token has exactly one spelling. */
const TOKEN_BYTES = KEY_NUMBER_BYTES + 2 * UUID_BYTES + MAC_BYTES;
const TOKEN_SHAPE = new RegExp(`^[A-Za-z0-9_-]{${(TOKEN_BYTES / 3) * 4}}$`);

/**
 * Download tokens: key number, organisation and link, and a MAC over them. Nothing secret is stored, any token can be
 * made again for another mail, and junk is refused without asking the database.
 */
export function createDownloadTokens(keyring: Keyring, siteUrl: string): DownloadTokens {
  const seal = (orgId: string, linkId: string) => {
    const { number, key } = keyring.current('download-token');
    const content = Buffer.concat([number, uuidToBytes(orgId), uuidToBytes(linkId)]);
    return Buffer.concat([content, macOf(content, key, MAC_BYTES)]).toString('base64url');
  };
  return {
    seal,
    open: (token) => {
      if (!TOKEN_SHAPE.test(token)) return null;
      const bytes = Buffer.from(token, 'base64url');
      const found = keyring.byNumber('download-token', bytes.subarray(0, KEY_NUMBER_BYTES));
      if (!found) return null;
      const content = bytes.subarray(0, TOKEN_BYTES - MAC_BYTES);
      if (!isMac(bytes.subarray(TOKEN_BYTES - MAC_BYTES), content, found.key)) return null;
      const ids = content.subarray(KEY_NUMBER_BYTES);
      return {
        orgId: bytesToUuid(ids.subarray(0, UUID_BYTES)),
        linkId: bytesToUuid(ids.subarray(UUID_BYTES)),
      };
    },
    url: (orgId, linkId) => `${siteUrl}/d/${seal(orgId, linkId)}`,
    myUrl: () => `${siteUrl}/my`,
  };
}
