import { throttle } from '../access/throttle.ts';
import { AUTOMATIC } from '../model/activity.ts';
import { type DownloadPage, makeLink } from '../model/download-link.ts';
import { normalizeEmail } from '../model/email-address.ts';
import type { Language } from '../model/language.ts';
import type { Throttles } from '../ports/access.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { DownloadLinks, DownloadTokens } from '../ports/downloads.ts';
import type { DownloadLinkEmails } from '../ports/mails.ts';
import { openDownloadLink } from './open-download-link.ts';

/** `throttled`: too many requests; the next one is allowed from `until` on. */
export type RequestFreshLinkResult =
  | { readonly kind: 'mailed'; readonly page: DownloadPage }
  | { readonly kind: 'throttled'; readonly page: DownloadPage; readonly until: Date }
  /** The link still works. */
  | { readonly kind: 'open'; readonly page: DownloadPage }
  | { readonly kind: 'revoked'; readonly page: DownloadPage }
  | { readonly kind: 'unknown' };

/**
 * Mails a new link to the buyer of an expired one, which stays expired. The holder of the old link gets nothing, because the mail
 * goes to the address of the purchase only.
 */
export async function requestFreshLink(
  ports: {
    readonly clock: Clock;
    readonly ids: Ids;
    readonly tokens: DownloadTokens;
    readonly links: DownloadLinks;
    readonly downloadLinkEmails: Pick<DownloadLinkEmails, 'requestOne'>;
    readonly throttles: Throttles;
  },
  token: string,
  /** The language of the buyer's browser. */
  language: Language | null = null,
): Promise<RequestFreshLinkResult> {
  const opened = await openDownloadLink(ports, token, { refresh: false });
  if (opened.kind === 'unknown') return opened;
  const { kind, page } = opened;
  if (kind !== 'expired') return { kind, page };
  const until =
    (await throttle(ports, 'freshLinkPerLink', `${page.orgId} ${page.linkId}`)) ??
    (await throttle(ports, 'freshLinkPerAddress', normalizeEmail(page.customer.email)));
  if (until) return { kind: 'throttled', page, until };
  const outcome = await ports.downloadLinkEmails.requestOne(makeRequest(ports, page, language));
  return outcome === 'revoked' ? { kind: 'revoked', page } : { kind: 'mailed', page };
}

function makeRequest(
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
  page: DownloadPage,
  language: Language | null,
) {
  const at = clock.now();
  const { orgId, purchaseId, productName, customer } = page;
  const summary = `A new link to ${productName} was requested. It is mailed to ${customer.email}.`;
  return {
    mailId: ids.next(),
    orgId,
    language,
    link: makeLink({ id: ids.next(), orgId, purchaseId }, at),
    activity: { id: ids.next(), at, kind: 'link-requested', subjectId: purchaseId, summary, ...AUTOMATIC },
    at,
  } as const;
}
