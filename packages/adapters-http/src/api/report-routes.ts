import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { readReportPeriod } from '@handover/domain';
import type { FastifyPluginAsync } from 'fastify';
import { Type } from 'typebox';
import { type CallerPorts, callerOf, requireCaller } from '../auth/caller.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { text } from '../openapi/fields.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { plainText, refusalsAs } from '../openapi/responses.ts';
import { answerFailure, answerNothingHere, refuseAsText } from '../requests/answer-error.ts';
import { READS } from '../streaming/json-array.ts';
import { startStream } from '../streaming/start-stream.ts';
import { nameDownloadsCsv, writeDownloadsCsv } from './downloads-csv.ts';

type Ports = CallerPorts & Pick<HttpPorts, 'sessions'>;

const PeriodQuery = Type.Object({
  from: Type.Optional(
    text(
      'The first day, YYYY-MM-DD, in UTC. Without it the report holds thirty days, the last one counted.',
      '2026-03-01',
    ),
  ),
  to: Type.Optional(
    text('The last day, YYYY-MM-DD, in UTC, itself included. Without it: today.', '2026-03-31'),
  ),
});

/** The reports under /api/reports: CSV, and plain text for errors. */
export function reportRoutes(ports: Ports): FastifyPluginAsync {
  const onRequest = requireCaller(ports, refuseAsText);
  return async (instance) => {
    const app = instance.withTypeProvider<TypeBoxTypeProvider>();
    app.setErrorHandler(answerFailure(refuseAsText));
    app.setNotFoundHandler(answerNothingHere(refuseAsText));

    const schema = documented(downloadsReportDocs, { querystring: PeriodQuery });
    app.route({
      method: READS,
      url: '/downloads',
      onRequest,
      schema,
      handler: async (request, reply) => {
        const { from = null, to = null } = request.query;
        const period = readReportPeriod({ from, to }, ports.clock.now());
        if (period.kind === 'invalid')
          return refuseAsText(reply, 400, `“${period.field}” ${period.problem}.`);
        const { orgId } = callerOf(request);
        const read = () => startStream(writeDownloadsCsv(ports.sessions.list(orgId, period)));
        const content = request.method === 'HEAD' ? null : await read();
        return reply
          .headers({
            'content-type': 'text/csv; charset=utf-8',
            'content-disposition': `attachment; filename="${nameDownloadsCsv(period)}"`,
            'x-content-type-options': 'nosniff',
          })
          .send(content);
      },
    });
  };
}

const EXAMPLE = `sessionId,startedAt,lastByteAt,bytes,completedAt,purchaseId,orderId,productName,version,customerName,customerEmail,client,filesBegun,filesWhole,orderNumber
019c3f2b-…,2026-03-02T10:04:11.000Z,2026-03-02T10:14:08.000Z,3103784960,2026-03-02T10:14:08.000Z,019c3f2a-…,5001,Felt Piano,2.1.0,Ana Lima,ana@example.com,browser,1,1,#1252
`;

const downloadsReportDocs: OperationDocs = {
  operationId: 'reportDownloads',
  scope: 'reports:read',
  summary: 'Report of download sessions',
  description:
    'One row for each download session that began in the period, oldest first, streamed as CSV (RFC 4180, UTF-8). Cells that a spreadsheet would run as a formula begin with an apostrophe. Without `from` and `to` it covers the last thirty days.',
  tag: 'Reports',
  origin: 'specification',
  access: 'owner or admin',
  responses: {
    200: {
      description:
        'The rows below a line of column names. Times are UTC; `completedAt` is empty until a download was complete. `bytes` counts bytes that were sent twice, twice. `client` is `browser`, or `companion` for any other program; `filesBegun` and `filesWhole` count the files of which a byte and of which every byte went out.',
      contentType: 'text/csv',
      schema: Type.String({ description: 'CSV.' }),
      example: EXAMPLE,
    },
    ...refusalsAs(plainText, {
      400: 'A day cannot be read, or the last day is before the first. The sentence names the parameter.',
    }),
  },
};
