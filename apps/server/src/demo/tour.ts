import { HANDOVER } from '../cli/command-text.ts';
import type { Settings } from '../settings/settings.ts';
import type { Demo } from './open-demo.ts';

/** The first text for a new user: where things are, and one command to try. */
export function describeTour(
  settings: Settings,
  { orgId, apiKey, sku, ownerEmail }: Demo,
  signInUrl: string | null,
): string {
  const { siteUrl, dataDir } = settings;
  const mail =
    settings.mail.smtpUrl === null ? `${siteUrl}/dev/mail` : 'in the mailbox you name with --email';
  return `
Handover runs at ${siteUrl}, with a demo shop: Lumen Audio sells Felt Piano.

  1. Send a signed order, as a shop would (in a second terminal, from this directory):

       ${HANDOVER} simulate storefront-a --org ${orgId} --sku ${sku}

  2. Read the receipt, and open its download link:

       ${mail}

  3. See the purchase through the API:

       curl -H 'Authorization: Bearer ${apiKey}' ${siteUrl}/api/purchases

  4. Open the dashboard as the shop's owner (the link works once, for 15 minutes; each start prints a new one):

       ${signInUrl ?? `${siteUrl}/dashboard`}
${ownerEmail ? `\n     A new link at any time:\n\n       ${HANDOVER} sign-in-link --email ${ownerEmail}\n` : ''}
  5. Open a shop of your own. Each command names the next one, up to its first delivered order:

       ${HANDOVER} org create --name 'Halo Audio' --owner-email you@example.com

Everything is kept in ${dataDir}. Ctrl-C stops the server and its database.
`;
}
