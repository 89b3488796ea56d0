import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  classifyDownload,
  type DownloadPage,
  type DownloadSessionRow,
  restoreLink,
  revokeLink,
} from '@handover/domain';
import type { FastifyPluginAsync } from 'fastify';
import type { Static } from 'typebox';
import { type CallerPorts, callerOf, requireCaller } from '../auth/caller.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { refuseAsJson } from '../requests/answer-error.ts';
import { leaveBodiesUnread } from '../requests/request-bodies.ts';
import { everyRow } from '../streaming/every-row.ts';
import { sendJsonArray } from '../streaming/json-array.ts';
import {
  type DownloadLinkBody,
  DownloadLinkParams,
  type DownloadSessionBody,
  listSessionsDocs,
  restoreLinkDocs,
  revokeLinkDocs,
} from './download-docs.ts';

type Ports = CallerPorts & Pick<HttpPorts, 'ids' | 'links' | 'purchases' | 'sessions'>;

const UNKNOWN = 'There is no download link of this id.';

/** Download data, for API keys of members too. A request body of any type is left unread. */
export function downloadRoutes(ports: Ports): FastifyPluginAsync {
  const onRequest = requireCaller(ports, 'member');
  return async (instance) => {
    const app = instance.withTypeProvider<TypeBoxTypeProvider>();
    leaveBodiesUnread(app);

    const list = { onRequest, exposeHeadRoute: false, schema: documented(listSessionsDocs) };
    app.get('/download-sessions', list, async (request, reply) => {
      const { orgId } = callerOf(request);
      const now = ports.clock.now();
      const rows = everyRow((page) => ports.sessions.search(orgId, { text: '', state: null, now, ...page }));
      return sendJsonArray(reply, rows, (row) => presentSession(row, now));
    });

    for (const { path, docs, change } of CHANGES) {
      app.post(
        path,
        { onRequest, schema: documented(docs, { params: DownloadLinkParams }) },
        async (request, reply) => {
          const { orgId, by } = callerOf(request);
          const link = await change(ports, orgId, request.params.linkId, by);
          return link ? presentLink(link) : refuseAsJson(reply, 404, UNKNOWN);
        },
      );
    }
  };
}

const CHANGES = [
  { path: '/download-links/:linkId/revoke', docs: revokeLinkDocs, change: revokeLink },
  { path: '/download-links/:linkId/restore', docs: restoreLinkDocs, change: restoreLink },
] as const;

function presentSession(row: DownloadSessionRow, now: Date): Static<typeof DownloadSessionBody> {
  return {
    id: row.id,
    downloadLinkId: row.linkId,
    orgId: row.orgId,
    purchaseId: row.purchaseId,
    customerName: row.customerName,
    customerEmail: row.customerEmail,
    productName: row.productName,
    version: row.version,
    productId: row.productId,
    productSlug: row.productSlug,
    fileNames: [...row.fileNames],
    filesBegun: row.filesBegun,
    filesWhole: row.filesWhole,
    state: classifyDownload(row, now),
    bytesSent: row.sent,
    totalBytes: row.size,
    startedAt: row.startedAt.toISOString(),
    lastByteAt: row.lastByteAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
    client: row.client,
    downloadExpiresAt: row.linkExpiresAt.toISOString(),
    downloadUsedAt: row.linkUsedAt?.toISOString() ?? null,
    downloadRevokedAt: row.linkRevokedAt?.toISOString() ?? null,
  };
}

function presentLink(link: DownloadPage): Static<typeof DownloadLinkBody> {
  return {
    id: link.linkId,
    orgId: link.orgId,
    purchaseId: link.purchaseId,
    customerName: link.customer.name,
    customerEmail: link.customer.email,
    productName: link.productName,
    version: link.version?.label ?? null,
    expiresAt: link.expiresAt.toISOString(),
    usedAt: link.usedAt?.toISOString() ?? null,
    revokedAt: link.revokedAt?.toISOString() ?? null,
  };
}
