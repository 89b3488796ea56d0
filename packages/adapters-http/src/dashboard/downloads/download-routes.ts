import { restoreLink, revokeLink } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { takePage } from '../take-page.ts';
import { type DownloadList, downloadListPage, newsOf } from './download-list-page.ts';
import { downloadPage } from './download-page.ts';
import { type DownloadView, readView } from './download-view.ts';

type Ports = Pick<HttpPorts, 'clock' | 'ids' | 'links' | 'platforms' | 'purchases' | 'sessions'>;

/** Searches and shows downloads, and revokes their links. For members too. */
export function downloadRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/downloads', 'member', async (context) =>
      downloadListPage(await listDownloads(ports, context, readView(context.query))),
    ),

    page('/downloads/live', 'member', async (context) => {
      const { query } = context;
      const list = await listDownloads(ports, context, { ...readView(query), before: null });
      return { kind: 'fragment', main: newsOf(list, query.get('seen')) };
    }),

    page('/downloads/:sessionId', 'member', async ({ orgId, role, params, csrfToken, now }) => {
      const record = await ports.sessions.show(orgId, params.sessionId);
      if (!record) return { kind: 'not-found' };
      return downloadPage({ record, mayOpenPurchase: role !== 'member', csrfToken, now });
    }),

    action('/downloads/:sessionId/revoke', 'member', (context) =>
      changeLink(ports, context, revokeLink, {
        title: 'Revoked',
        sentence: 'The links of this purchase have stopped working.',
      }),
    ),
    action('/downloads/:sessionId/restore', 'member', (context) =>
      changeLink(ports, context, restoreLink, {
        title: 'Restored',
        sentence: 'The links of this purchase work again until they expire.',
      }),
    ),
  ];
}

async function listDownloads(
  { sessions }: Ports,
  { orgId, role, now }: DashboardRequest,
  view: DownloadView,
): Promise<DownloadList> {
  const includesSales = role !== 'member';
  const shown = await takePage((limit) => sessions.search(orgId, { ...view, includesSales, now, limit }));
  return { ...shown, view, includesSales, now };
}

/** The use case writes the entry in the activity log. */
async function changeLink(
  ports: Ports,
  { orgId, by, params: { sessionId } }: DashboardRequest<'sessionId'>,
  change: typeof revokeLink,
  toast: { readonly title: string; readonly sentence: string },
): Promise<Answer> {
  const session = await ports.sessions.show(orgId, sessionId);
  const link = session && (await change(ports, orgId, session.linkId, by));
  return link ? { kind: 'redirect', to: `/dashboard/downloads/${sessionId}`, toast } : { kind: 'not-found' };
}
