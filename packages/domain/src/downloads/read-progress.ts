import type { DownloadPage } from '../model/download-link.ts';
import type { DownloadProgress, FileProgress } from '../model/download-session.ts';
import type { DownloadLinks, DownloadSessions, DownloadTokens } from '../ports/downloads.ts';

/** The progress of a link's latest download, by the bytes that were sent. */
export type ReadProgressResult =
  | {
      readonly kind: 'progress';
      /** The link's latest session; null before there is one. */
      readonly session: DownloadProgress | null;
      /** Every file of the link's version, then files of other versions that the session fetched. */
      readonly files: readonly FileProgress[];
      /** Whether at least one file was begun, and each file that was begun was sent completely. */
      readonly whole: boolean;
    }
  | { readonly kind: 'unknown' | 'revoked' };

/**
 * Reads the progress of a link's latest download. It also works for an expired link, because transfers continue after its
 * expiry.
 */
export async function readProgress(
  {
    links,
    sessions,
    tokens,
  }: {
    readonly links: Pick<DownloadLinks, 'find'>;
    readonly sessions: Pick<DownloadSessions, 'latest'>;
    readonly tokens: DownloadTokens;
  },
  token: string,
): Promise<ReadProgressResult> {
  const named = tokens.open(token);
  const page = named && (await links.find(named.orgId, named.linkId));
  if (!page) return { kind: 'unknown' };
  if (page.revokedAt !== null) return { kind: 'revoked' };
  const session = await sessions.latest(page.orgId, page.linkId);
  const begun = session?.files ?? [];
  return {
    kind: 'progress',
    session,
    files: listFiles(page, begun),
    whole: begun.length > 0 && begun.every((file) => file.whole),
  };
}

function listFiles({ version }: DownloadPage, begun: readonly FileProgress[]): readonly FileProgress[] {
  const offered = (version?.files ?? []).map(({ name, size }): FileProgress => {
    const found = begun.find((file) => file.version === version?.label && file.name === name);
    return found ?? { version: version?.label ?? '', name, size, sent: 0, whole: false };
  });
  return [...offered, ...begun.filter((file) => !offered.includes(file))];
}
