import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  classifyDownload,
  type DownloadClient,
  type DownloadPage,
  type DownloadSessionRow,
  type DownloadState,
  LISTED_FILES,
  restoreLink,
  revokeLink,
} from '@handover/domain';
import type { FastifyPluginAsync } from 'fastify';
import { type Static, Type } from 'typebox';
import { type CallerPorts, callerOf, requireCaller } from '../auth/caller.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import {
  EXAMPLE_IDS,
  integer,
  nullableEnum,
  nullableText,
  nullableTime,
  text,
  time,
  uuid,
} from '../openapi/fields.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { json, refusals } from '../openapi/responses.ts';
import { refuseAsJson } from '../requests/answer-error.ts';
import { leaveBodiesUnread } from '../requests/request-bodies.ts';
import { everyRow } from '../streaming/every-row.ts';
import { READS, sendJsonArray } from '../streaming/json-array.ts';

type Ports = CallerPorts & Pick<HttpPorts, 'ids' | 'links' | 'purchases' | 'sessions'>;

const UNKNOWN = 'There is no download link of this id.';

/** Download data, for API keys of members too. A request body of any type is left unread. */
export function downloadRoutes(ports: Ports): FastifyPluginAsync {
  const onRequest = requireCaller(ports);
  return async (instance) => {
    const app = instance.withTypeProvider<TypeBoxTypeProvider>();
    leaveBodiesUnread(app);

    app.route({
      method: READS,
      url: '/download-sessions',
      onRequest,
      schema: documented(listSessionsDocs),
      handler: async (request, reply) => {
        const { orgId } = callerOf(request);
        const now = ports.clock.now();
        const rows = everyRow((page) =>
          ports.sessions.search(orgId, { text: '', state: null, now, ...page }),
        );
        return sendJsonArray(reply, rows, (row) => presentSession(row, now));
      },
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

const STATES = ['completed', 'sent', 'running', 'interrupted', 'started'] satisfies readonly DownloadState[];
const CLIENTS = ['browser', 'companion'] satisfies readonly DownloadClient[];

/** The buyer and the product of a download: the same fields in a session and in a link. */
const OWNERS = {
  orgId: uuid('The organisation that sold it.', EXAMPLE_IDS.organisation),
  purchaseId: uuid('The purchase that the link belongs to.', EXAMPLE_IDS.purchase),
  customerName: text('The customer’s name on record.', 'Ana Lima'),
  customerEmail: text('The customer’s address, as first typed.', 'ana@example.com'),
  productName: text('The product’s name now.', 'Felt Piano'),
  version: nullableText('The label of the version that was bought; `null` while there is none.', '2.1.0'),
};

const DownloadSessionBody = Type.Object(
  {
    id: uuid('Made by the server.', EXAMPLE_IDS.session),
    downloadLinkId: uuid(
      'The link that it came through. Pass it to revoke or restore the link.',
      EXAMPLE_IDS.link,
    ),
    ...OWNERS,
    customerName: text(
      'The name of the customer that the link was made for, also if the purchase’s address was corrected since.',
      'Ana Lima',
    ),
    customerEmail: text('The address of that customer, as first typed.', 'ana@example.com'),
    productId: uuid('What was bought.', EXAMPLE_IDS.product),
    productSlug: text('The product’s slug now.', 'felt-piano'),
    fileNames: Type.Array(Type.String({ description: 'The name of a file.' }), {
      description: `The files of which at least a byte went out: the first ${LISTED_FILES}, by version and name.`,
      examples: [['felt-piano.zip']],
    }),
    filesBegun: integer('The number of all those files.', 1),
    filesWhole: integer('The number of them that were sent whole.', 1),
    state: Type.Enum(STATES, {
      description:
        '`completed`: the downloader said that all arrived. `sent`: every file that was begun went out whole. `running`: bytes are missing, and some went out within the last minute. `interrupted`: bytes are missing, and none did. `started`: nothing is known but its beginning, as when the file store sends the file itself.',
      examples: ['completed'],
    }),
    bytesSent: integer(
      'Distinct bytes that went out of these files: what went out twice counts once.',
      3103784960,
    ),
    totalBytes: integer('The size of these files together.', 3103784960),
    startedAt: time('When its first byte went out.', '2026-03-02T10:04:11.000Z'),
    lastByteAt: time('When its latest byte went out.', '2026-03-02T10:14:08.000Z'),
    completedAt: nullableTime(
      'When the downloader said that all arrived; `null` until then.',
      '2026-03-02T10:14:08.000Z',
    ),
    client: nullableEnum(CLIENTS, {
      description:
        'Which program began it: a browser or any other. `null` for sessions of before that was recorded.',
      examples: ['browser'],
    }),
    downloadExpiresAt: time(
      'When its link stops working, unless it is used before.',
      '2026-03-04T10:14:08.000Z',
    ),
    downloadUsedAt: nullableTime(
      'When a download through its link was complete for the first time.',
      '2026-03-02T10:14:08.000Z',
    ),
    downloadRevokedAt: nullableTime(
      'When its link was revoked; `null` while it is not.',
      '2026-03-03T08:00:00.000Z',
    ),
  },
  {
    $id: 'DownloadSession',
    description: 'One download by a buyer: the requests of one link that belong together.',
  },
);

const DownloadLinkBody = Type.Object(
  {
    id: uuid('Made by the server. The address of the link holds no id, but a token.', EXAMPLE_IDS.link),
    ...OWNERS,
    expiresAt: time('When it stops working, unless it is used before.', '2026-03-04T10:14:08.000Z'),
    usedAt: nullableTime(
      'When a download through it was complete for the first time.',
      '2026-03-02T10:14:08.000Z',
    ),
    revokedAt: nullableTime('When it was revoked; `null` while it is not.', '2026-03-03T08:00:00.000Z'),
  },
  { $id: 'DownloadLink', description: 'A link to what was bought.' },
);

const DownloadLinkParams = Type.Object({
  linkId: text('The id of a link, as a download session has it in `downloadLinkId`.', EXAMPLE_IDS.link),
});

const shared = { tag: 'Downloads', origin: 'addition', access: 'any role' } as const;
const UNKNOWN_LINK = { 404: 'Your organisation has no link of this id.' };

const listSessionsDocs: OperationDocs = {
  ...shared,
  operationId: 'listDownloadSessions',
  scope: 'downloads:read',
  summary: 'List download sessions',
  description:
    'Every download session of your organisation, the latest first, as one streamed array: who downloaded what, when, and how much of it.',
  responses: {
    200: json(
      'The sessions. An empty array is a valid result.',
      Type.Array(DownloadSessionBody, { description: 'The latest first.' }),
    ),
    ...refusals(),
  },
};

const revokeLinkDocs: OperationDocs = {
  ...shared,
  operationId: 'revokeDownloadLink',
  scope: 'downloads:write',
  summary: 'Revoke a download link',
  description:
    'Revokes the purchase that the link belongs to: all its links stop working at once, and its buyer gets no new one until it is restored. Downloads in progress finish. Revoking again changes nothing.',
  responses: { 200: json('The link as it is now.', DownloadLinkBody), ...refusals(UNKNOWN_LINK) },
};

const restoreLinkDocs: OperationDocs = {
  ...shared,
  operationId: 'restoreDownloadLink',
  scope: 'downloads:write',
  summary: 'Restore a download link',
  description:
    'Undoes a revocation: the links of the purchase work again, each until it expires. A link that ended because its buyer’s address was corrected stays revoked. Restoring again changes nothing.',
  responses: { 200: json('The link as it is now.', DownloadLinkBody), ...refusals(UNKNOWN_LINK) },
};

const CHANGES = [
  { path: '/download-links/:linkId/revoke', docs: revokeLinkDocs, change: revokeLink },
  { path: '/download-links/:linkId/restore', docs: restoreLinkDocs, change: restoreLink },
] as const;
