import { type CompletedDownload, completeDownload } from '@handover/domain';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { TransferRecorder } from '../customer/record-transfers.ts';
import { whileDatabaseAnswers } from '../database-answers.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { answerFailure, refuseAsJson } from '../requests/answer-error.ts';
import { takeAnyType } from '../requests/request-bodies.ts';
import { addLogContext } from '../requests/request-log.ts';
import { downloadCompleteDocs } from './download-complete-docs.ts';
import { readCompletion } from './read-completion.ts';

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
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    app.post<CompleteRoute>(
      '/:orgId/download-complete',
      { onRequest: takeAnyType, bodyLimit: BODY_LIMIT, schema: documented(downloadCompleteDocs) },
      async (request, reply) => {
        const { orgId } = request.params;
        const read = readCompletion(request.raw.headers['content-type'], request.body ?? Buffer.alloc(0));
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
