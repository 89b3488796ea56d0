import { type DownloadPage, linkExpiry } from '../model/download-link.ts';
import type { ProductFile } from '../model/product.ts';
import type { Clock } from '../ports/clock.ts';
import type { DownloadLinks, LinkTokenReader } from '../ports/downloads.ts';

/** `unknown`: the token names no link. */
export type OpenLinkResult =
  | { readonly kind: 'open'; readonly page: DownloadPage }
  | { readonly kind: 'expired' | 'revoked'; readonly page: DownloadPage }
  | { readonly kind: 'unknown' };

interface LinkPorts {
  readonly clock: Clock;
  readonly links: Pick<DownloadLinks, 'find' | 'prolong' | 'refresh'>;
  readonly tokens: LinkTokenReader;
}

/**
 * Opens the page of a link. This counts an opening and sets the expiry to 48 hours from now. It does not mark the link as
 * used, because mail scanners open links too. With `refresh: false` (a HEAD request) it changes nothing.
 */
export async function openDownloadLink(
  { clock, links, tokens }: LinkPorts,
  token: string,
  { refresh }: { readonly refresh: boolean },
): Promise<OpenLinkResult> {
  const named = await tokens.open(token);
  if (!named) return { kind: 'unknown' };
  const page = await links.find(named.orgId, named.linkId);
  if (!page) return { kind: 'unknown' };
  const now = clock.now();
  if (page.revokedAt !== null) return { kind: 'revoked', page };
  if (page.expiresAt <= now) return { kind: 'expired', page };
  if (!refresh) return { kind: 'open', page };
  const expiresAt = linkExpiry(now);
  // It may have been revoked since it was read: then the refresh fails.
  const refreshed = await links.refresh(named.orgId, named.linkId, now, expiresAt);
  return refreshed ? { kind: 'open', page: { ...page, expiresAt } } : { kind: 'revoked', page };
}

/** `unknown`: the token names no link, or the version of the link has no such file. */
export type OpenFileResult =
  | { readonly kind: 'open'; readonly linkId: string; readonly orgId: string; readonly file: VersionFile }
  | { readonly kind: 'expired' | 'revoked'; readonly page: DownloadPage }
  | { readonly kind: 'unknown' };

/** A file, and the label of the version that it belongs to. */
export interface VersionFile extends ProductFile {
  readonly version: string;
}

/**
 * Finds one file of a link. Fetching it extends the link as opening its page does, but does not count as an opening. With
 * `fetch: false` (a HEAD request) it changes nothing.
 */
export async function openDownloadFile(
  { clock, links, tokens }: LinkPorts,
  token: string,
  wanted: { readonly version: string; readonly name: string },
  { fetch }: { readonly fetch: boolean },
): Promise<OpenFileResult> {
  const opened = await openDownloadLink({ clock, links, tokens }, token, { refresh: false });
  if (opened.kind !== 'open') return opened;
  const { page } = opened;
  const { orgId, linkId } = page;
  const file = findFile(page, wanted);
  if (!file) return { kind: 'unknown' };
  const now = clock.now();
  if (fetch && !(await links.prolong(orgId, linkId, now, linkExpiry(now)))) return { kind: 'revoked', page };
  return { kind: 'open', orgId, linkId, file };
}

function findFile(
  { version }: DownloadPage,
  wanted: { readonly version: string; readonly name: string },
): VersionFile | null {
  if (version?.label !== wanted.version) return null;
  const file = version.files.find(({ name }) => name === wanted.name);
  return file ? { ...file, version: version.label } : null;
}
