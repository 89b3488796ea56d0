import { type CompletedDownload, completeDownload } from '@handover/domain';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { TransferRecorder } from '../customer/record-transfers.ts';
import { whileDatabaseAnswers } from '../database-answers.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { EXAMPLE_IDS, nullableUuid, text } from '../openapi/fields.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { json, jsonErrors, LATE, UNEXPECTED } from '../openapi/responses.ts';
import { answerFailure, refuseAsJson } from '../requests/answer-error.ts';
import { EncodedBodyError, isEncoded } from '../requests/content-encoding.ts';
import { takeAnyType } from '../requests/request-bodies.ts';
import { addLogContext } from '../requests/request-log.ts';
import { readCompletion } from './read-completion.ts';
import { OrgParams } from './webhook-docs.ts';

type Ports = Pick<HttpPorts, 'clock' | 'database' | 'ids' | 'links' | 'sessions' | 'tokens'>;

/** A token is shorter than a tenth of this limit. */
const BODY_LIMIT = 8 * 1024;

interface CompleteRoute {
  readonly Params: { readonly orgId: string };
  readonly Body: Buffer | undefined;
}

/**
 * The download page and companion downloaders report here that a download has arrived. The token is the
 * only credential.
 */
export function downloadCompleteRoutes(ports: Ports, transfers: TransferRecorder): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler(answerFailure(refuseAsJson));
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (request, body, done) =>
      isEncoded(request.headers) ? done(new EncodedBodyError()) : done(null, body),
    );
    app.post<CompleteRoute>(
      '/:orgId/download-complete',
      { onRequest: takeAnyType, bodyLimit: BODY_LIMIT, schema: documented(downloadCompleteDocs) },
      async (request, reply) => {
        // The token holds it as text; a URL may spell it in capitals, as with the other webhooks.
        const orgId = request.params.orgId.toLowerCase();
        const type = request.raw.headers['content-type'];
        const read = await readCompletion(type, new Uint8Array(request.body ?? []));
        if (read.kind === 'wrong-type') return refuseAsJson(reply, 415, 'Send JSON, or a form.');
        if (read.kind === 'unreadable') return refuseAsJson(reply, 400, read.problem);
        const completing = complete(ports, transfers, { orgId, ...read });
        const result = await whileDatabaseAnswers(ports.database, completing);
        if (result.kind === 'completed') addLogContext(request, { orgId });
        return answer(reply, result);
      },
    );
  };
}

async function complete(
  ports: Ports,
  transfers: TransferRecorder,
  named: { readonly orgId: string; readonly token: string; readonly sessionId: string | null },
): Promise<CompletedDownload> {
  const linkId = ports.tokens.open(named.token)?.linkId;
  // A client can report completion before the store has recorded its first byte.
  if (linkId !== undefined) await transfers.complete(linkId);
  return completeDownload(ports, named);
}

function answer(reply: FastifyReply, result: CompletedDownload): FastifyReply {
  switch (result.kind) {
    case 'completed':
      return reply.send({ received: true, sessionId: result.sessionId, usedAt: result.usedAt });
    case 'unknown':
      return refuseAsJson(reply, 404, '“token” is not a download token of this organisation.');
    case 'unknown-session':
      return refuseAsJson(reply, 404, '“sessionId” is not a download session of this link. Leave it out.');
    case 'revoked':
      return refuseAsJson(reply, 410, 'The shop has withdrawn this link.');
  }
}

const Completion = Type.Object({
  token: text('What the download link ends in.', 'TOKEN'),
  sessionId: Type.Optional(
    Type.String({ description: 'The download session that is complete. Without it: the link’s latest.' }),
  ),
});

const downloadCompleteDocs: OperationDocs = {
  operationId: 'completeDownload',
  summary: 'Report a complete download',
  description:
    'The download page or a companion downloader calls this once it has the last byte. Marks the link as used (the first time stays), completes the download session and writes one entry to the activity log; repeating it changes nothing. A link that expired meanwhile is accepted, too. The token is the capability: there is no signature.',
  tag: 'Inbound webhooks',
  origin: 'specification',
  access: 'open',
  params: OrgParams,
  body: {
    description: 'JSON or a form, at most 8 KiB.',
    contentTypes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    schema: Completion,
    example: { token: 'TOKEN' },
  },
  responses: {
    200: json(
      'The download is recorded as complete.',
      Type.Object(
        {
          received: Type.Literal(true, {
            description: 'The download is recorded as complete, now or before.',
          }),
          sessionId: nullableUuid(
            'The session that is complete; `null` when no byte went out through the server.',
            EXAMPLE_IDS.session,
          ),
          usedAt: Type.String({
            format: 'date-time',
            description: 'When a download of this link was complete for the first time.',
            examples: ['2026-03-02T10:14:08.000Z'],
          }),
        },
        { $id: 'DownloadCompleted', description: 'The download is complete.' },
      ),
    ),
    ...jsonErrors({
      400: 'The token is missing, or the body cannot be read.',
      404: 'The token is not of this organisation, or the session is not of this link.',
      408: LATE,
      410: 'The link was revoked.',
      413: 'The body is larger than 8 KiB.',
      415: 'The body is neither JSON nor a form, or has a `Content-Encoding`.',
      500: UNEXPECTED,
      503: 'The database cannot be reached, or the server is overloaded. Send it again in a moment.',
    }),
  },
};
