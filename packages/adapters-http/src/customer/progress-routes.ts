import { type ReadProgressResult, readProgress } from '@handover/domain';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { whileDatabaseAnswers } from '../database-answers.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { EXAMPLE_IDS, integer, nullableObject, nullableString, text, time, uuid } from '../openapi/fields.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { json, jsonErrors, UNEXPECTED } from '../openapi/responses.ts';
import { answerFailure, refuseAsJson } from '../requests/answer-error.ts';
import { addLogContext } from '../requests/request-log.ts';
import { shared, token } from './customer-docs.ts';

type Ports = Pick<HttpPorts, 'database' | 'links' | 'sessions' | 'tokens'>;

interface ProgressRoute {
  readonly Params: { readonly token: string };
}

/** The progress of a download as the server sees it, for the page that started it. */
export function progressRoutes(ports: Ports): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler(answerFailure(refuseAsJson));
    app.get<ProgressRoute>(
      '/d/:token/progress',
      { schema: documented(progressDocs) },
      async (request, reply) => {
        addLogContext(request, { orgId: ports.tokens.open(request.params.token)?.orgId });
        const reading = readProgress(ports, request.params.token);
        reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' });
        return answer(reply, await whileDatabaseAnswers(ports.database, reading));
      },
    );
  };
}

function answer(reply: FastifyReply, result: ReadProgressResult): FastifyReply {
  switch (result.kind) {
    case 'unknown':
      return refuseAsJson(reply, 404, 'That is not a download link of ours.');
    case 'revoked':
      return refuseAsJson(reply, 410, 'The shop has withdrawn this link.');
    case 'progress': {
      const { session, files, whole } = result;
      if (!session) return reply.send({ session: null, files, whole });
      const { id, startedAt, lastByteAt, completedAt } = session;
      return reply.send({ session: { id, startedAt, lastByteAt, completedAt }, files, whole });
    }
  }
}

const Session = Type.Object({
  id: uuid(
    'Requests for files may name it, as `session`, and download-complete, as `sessionId`.',
    EXAMPLE_IDS.session,
  ),
  startedAt: time('When its first byte went out.', '2026-03-02T10:04:11.000Z'),
  lastByteAt: time('When its latest byte went out.', '2026-03-02T10:04:11.000Z'),
  completedAt: nullableString({ format: 'date-time', description: 'When download-complete was called.' }),
});

const File = Type.Object({
  version: text('The version’s label.', '2.1.0'),
  name: text('The file’s name.', 'felt-piano-2.1.zip'),
  size: integer('Bytes of the whole file.', 3103784960),
  sent: integer(
    'Bytes of it that went out in this session; those that went out twice count once.',
    1551892480,
  ),
  whole: Type.Boolean({ description: 'Whether every byte of it was sent.', examples: [false] }),
});

const progressDocs: OperationDocs = {
  ...shared,
  operationId: 'readProgress',
  summary: 'How far a download has come',
  description:
    'The link’s latest download session, as the server sees it: at most about a second behind. Reading it changes nothing. An expired link has its progress, too, because transfers continue after their link expires.',
  params: Type.Object({ token }),
  responses: {
    200: json(
      'The progress.',
      Type.Object(
        {
          session: nullableObject(Session, {
            description: 'The latest session; `null` before the first byte of any file went out.',
          }),
          files: Type.Array(File, {
            description: 'Every file of the version that was bought, then others that the session fetched.',
          }),
          whole: Type.Boolean({
            description:
              'Something was fetched in this session, and every file that was begun went out whole.',
            examples: [false],
          }),
        },
        { $id: 'DownloadProgress', description: 'A download session and what it has sent.' },
      ),
    ),
    ...jsonErrors({
      404: 'There is no such link.',
      410: 'The link was revoked.',
      500: UNEXPECTED,
      503: 'The database cannot be reached. Try again in a moment.',
    }),
  },
};
