import { throttle } from '../access/throttle.ts';
import { normalizeEmail, readTypedEmail } from '../model/email-address.ts';
import type { Language } from '../model/language.ts';
import type { Throttles } from '../ports/access.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { DownloadLinkEmails } from '../ports/mails.ts';

/** `until`: when the next request is allowed. */
export type RequestMyLinksResult =
  /** Also if nothing was bought with the address. */
  | { readonly kind: 'noted' }
  | { readonly kind: 'invalid-email' }
  | { readonly kind: 'throttled'; readonly until: Date; readonly of: 'address' | 'network' };

/**
 * Queues a mail with new links for everything that was bought with an address, at any organisation. An unknown address is handled
 * in the same way: only the job looks it up, after the response.
 */
export async function requestMyLinks(
  ports: {
    readonly clock: Clock;
    readonly ids: Ids;
    readonly downloadLinkEmails: Pick<DownloadLinkEmails, 'requestAll'>;
    readonly throttles: Throttles;
  },
  {
    email,
    network,
    language = null,
  }: { readonly email: string; readonly network: string; readonly language?: Language | null },
): Promise<RequestMyLinksResult> {
  const address = readTypedEmail(email);
  if (address === null) return { kind: 'invalid-email' };
  // The network comes first, so that a request that is refused for it does not count for the address.
  const networkUntil = await throttle(ports, 'myLinksPerNetwork', network);
  if (networkUntil) return { kind: 'throttled', until: networkUntil, of: 'network' };
  const addressUntil = await throttle(ports, 'myLinksPerAddress', normalizeEmail(address));
  if (addressUntil) return { kind: 'throttled', until: addressUntil, of: 'address' };
  await ports.downloadLinkEmails.requestAll({
    mailId: ports.ids.next(),
    email: address,
    language,
    at: ports.clock.now(),
  });
  return { kind: 'noted' };
}
