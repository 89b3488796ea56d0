import type { ProductFile } from '../catalogue/product.ts';
import type { Clock, DownloadLinks, DownloadTokens, FileStore } from '../ports.ts';
import { linkExpiry } from './download-link.ts';
import type { DownloadPage } from './download-page.ts';

export type OpenLinkResult =
  | { readonly kind: 'open'; readonly page: DownloadPage }
  | { readonly kind: 'expired' | 'revoked'; readonly page: DownloadPage }
  | { readonly kind: 'unknown' };

interface LinkPorts {
  readonly clock: Clock;
  readonly links: DownloadLinks;
  readonly tokens: DownloadTokens;
}

/**
 * Opens the page of a link. Opening counts and sets its expiry to 48 hours from now; it never marks the link used,
 * because mail scanners open links too. With `refresh: false` (a HEAD request) it only looks.
 */
export async function openDownloadLink(
  { clock, links, tokens }: LinkPorts,
  token: string,
  { refresh }: { readonly refresh: boolean },
): Promise<OpenLinkResult> {
  const named = tokens.open(token);
  if (!named) return { kind: 'unknown' };
  const page = await links.find(named.orgId, named.linkId);
  if (!page) return { kind: 'unknown' };
  const now = clock.now();
  if (page.revokedAt !== null) return { kind: 'revoked', page };
  if (page.expiresAt <= now) return { kind: 'expired', page };
  if (!refresh) return { kind: 'open', page };
  const expiresAt = linkExpiry(now);
  // Between reading and refreshing it may have been revoked: then the refresh says so.
  const refreshed = await links.refresh(named.orgId, named.linkId, now, expiresAt);
  return refreshed ? { kind: 'open', page: { ...page, expiresAt } } : { kind: 'revoked', page };
}

export type OpenFileResult =
  | { readonly kind: 'open'; readonly file: ProductFile; readonly content: AsyncIterable<Uint8Array> | null }
  | { readonly kind: 'expired' | 'revoked'; readonly page: DownloadPage }
  | { readonly kind: 'unknown' };

/**
 * Opens one file behind a link, which refreshes the link as opening its page does. Once open, a transfer goes on to
 * its end whatever becomes of the link. Without `withContent` (a HEAD request) it only looks.
 */
export async function openDownloadFile(
  ports: LinkPorts & { readonly files: FileStore },
  token: string,
  name: string,
  { withContent }: { readonly withContent: boolean },
): Promise<OpenFileResult> {
  const opened = await openDownloadLink(ports, token, { refresh: withContent });
  if (opened.kind !== 'open') return opened;
  const file = opened.page.version?.files.find((candidate) => candidate.name === name);
  if (!file) return { kind: 'unknown' };
  if (!withContent) return { kind: 'open', file, content: null };
  const content = await ports.files.open(opened.page.orgId, file.sha256);
  return content ? { kind: 'open', file, content } : { kind: 'unknown' };
}
