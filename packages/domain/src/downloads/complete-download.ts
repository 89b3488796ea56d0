import { AUTOMATIC } from '../model/activity.ts';
import type { DownloadPage } from '../model/download-link.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type {
  CompletedDownload,
  DownloadLinks,
  DownloadSessions,
  DownloadTokens,
} from '../ports/downloads.ts';

/**
 * Records that a download is completed: marks the link as used, at the time of the first call, and completes its session (the
 * named one, or the latest). The activity log gets one entry, however often this is called. It also works for an expired
 * link.
 */
export async function completeDownload(
  {
    clock,
    ids,
    links,
    sessions,
    tokens,
  }: {
    readonly clock: Clock;
    readonly ids: Ids;
    readonly links: Pick<DownloadLinks, 'find'>;
    readonly sessions: Pick<DownloadSessions, 'complete'>;
    readonly tokens: DownloadTokens;
  },
  {
    orgId,
    token,
    sessionId,
  }: { readonly orgId: string; readonly token: string; readonly sessionId: string | null },
): Promise<CompletedDownload> {
  const named = tokens.open(token);
  if (!named || named.orgId !== orgId) return { kind: 'unknown' };
  const page = await links.find(named.orgId, named.linkId);
  if (!page) return { kind: 'unknown' };
  const at = clock.now();
  return sessions.complete(named.orgId, named.linkId, {
    sessionId,
    at,
    activity: {
      id: ids.next(),
      at,
      kind: 'download-completed',
      subjectId: page.linkId,
      summary: summarise(page),
      ...AUTOMATIC,
    },
  });
}

function summarise({ productName, version, customer }: DownloadPage): string {
  const product = version ? `${productName} ${version.label}` : productName;
  return `${product} downloaded by ${customer.name}.`;
}
