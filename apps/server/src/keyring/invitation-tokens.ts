import type { InvitationTokens } from '@handover/domain';
import type { Keyring } from './keyring.ts';
import { createPairTokens } from './pair-tokens.ts';

/** As long as sign-in tokens: an attacker who guessed one could sign in. */
const MAC_BYTES = 31;

/** Tokens of invitations: key number, organisation and invitation, and a MAC over them. No secret is stored. */
export function createInvitationTokens(keyring: Keyring, siteUrl: string): InvitationTokens {
  const tokens = createPairTokens(keyring, 'invitation-token', MAC_BYTES);
  return {
    open: (token) => {
      const ids = tokens.open(token);
      return ids && { orgId: ids[0], invitationId: ids[1] };
    },
    url: (orgId, invitationId) => `${siteUrl}/dashboard/invitations/${tokens.seal(orgId, invitationId)}`,
  };
}
