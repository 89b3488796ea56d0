import { type DownloadPage, linkExpiry } from '../model/download-link.ts';
import { LIBRARY_PAGE, type LibraryItem } from '../model/library.ts';
import type { Clock } from '../ports/clock.ts';
import type { DownloadLinks, DownloadTokens } from '../ports/downloads.ts';

/** `older`: the purchase after which the next page begins; null on the last page. */
type OpenLibraryResult =
  | {
      readonly kind: 'open';
      readonly page: DownloadPage;
      readonly items: readonly LibraryItem[];
      readonly older: string | null;
    }
  | { readonly kind: 'ended'; readonly page: DownloadPage }
  | { readonly kind: 'unknown' };

/**
 * Opens the library of a mail with new links: everything that was bought with the address of the link in the token. It works
 * as long as that link. Opening it extends that link, and the working links that it shows, to 48 hours from now. A purchase
 * whose links were replaced since that mail is shown without a link. With `renew: false` (a HEAD request) it changes nothing.
 */
export async function openLibrary(
  {
    clock,
    links,
    tokens,
  }: {
    readonly clock: Clock;
    readonly links: Pick<DownloadLinks, 'find' | 'listOfBuyer' | 'prolong'>;
    readonly tokens: Pick<DownloadTokens, 'openLibrary'>;
  },
  token: string,
  { before, renew }: { readonly before: string | null; readonly renew: boolean },
): Promise<OpenLibraryResult> {
  const named = tokens.openLibrary(token);
  const page = named && (await links.find(named.orgId, named.linkId));
  if (!page) return { kind: 'unknown' };
  const now = clock.now();
  const expiresAt = linkExpiry(now);
  // If the purchase was moved to another address since the mail, the holder of the mail must not see that buyer's library.
  const isOfBuyer = named.isFor(page.customer.email);
  const works = isOfBuyer && page.revokedAt === null && page.expiresAt > now;
  if (!works || (renew && !(await links.prolong(page.orgId, page.linkId, now, expiresAt)))) {
    return { kind: 'ended', page };
  }
  const found = await links.listOfBuyer(page.customer.email, {
    before,
    mailedAt: page.createdAt,
    limit: LIBRARY_PAGE + 1,
    renewal: renew ? { at: now, expiresAt } : null,
  });
  const items = found.slice(0, LIBRARY_PAGE);
  const older = found.length > LIBRARY_PAGE ? (items.at(-1)?.purchaseId ?? null) : null;
  return { kind: 'open', page: renew ? { ...page, expiresAt } : page, items, older };
}
