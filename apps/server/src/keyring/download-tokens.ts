import type { DownloadTokens } from '@handover/domain';
import type { Keyring } from './keyring.ts';
import { createPairTokens } from './pair-tokens.ts';

const MAC_BYTES = 16;

/**
 * Download tokens: key number, organisation and link, and a MAC over them. No secret is stored, a token can be
 * recreated for another mail, and forged tokens are refused without a query.
 */
export function createDownloadTokens(keyring: Keyring, siteUrl: string): DownloadTokens {
  const { seal, open } = createPairTokens(keyring, 'download-token', MAC_BYTES);
  return {
    seal,
    open: (token) => {
      const ids = open(token);
      return ids && { orgId: ids[0], linkId: ids[1] };
    },
    url: (orgId, linkId) => `${siteUrl}/d/${seal(orgId, linkId)}`,
    myUrl: () => `${siteUrl}/my`,
  };
}
