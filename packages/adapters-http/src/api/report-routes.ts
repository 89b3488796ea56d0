import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { readReportPeriod } from '@handover/domain';
import type { FastifyPluginAsync } from 'fastify';
import { Type } from 'typebox';
import { type CallerPorts, callerOf, requireCaller } from '../auth/caller.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { answerNoText, answerTextFailure, refuseAsText } from '../requests/answer-text.ts';
import { openDownloadsFile } from './downloads-file.ts';
import { downloadsReportDocs } from './report-docs.ts';

type Ports = CallerPorts & Pick<HttpPorts, 'sessions'>;

const PeriodQuery = Type.Object({
  from: Type.Optional(
    Type.String({
      description:
        'The first day, YYYY-MM-DD, in UTC. Without it the report holds thirty days, the last one counted.',
      examples: ['2026-03-01'],
    }),
  ),
  to: Type.Optional(
    Type.String({
      description: 'The last day, YYYY-MM-DD, in UTC, itself included. Without it: today.',
      examples: ['2026-03-31'],
    }),
  ),
});

/** The reports under /api/reports: CSV out, and plain text for errors. */
export function reportRoutes(ports: Ports): FastifyPluginAsync {
  const onRequest = requireCaller(ports, 'admin', refuseAsText);
  return async (instance) => {
    const app = instance.withTypeProvider<TypeBoxTypeProvider>();
    app.setErrorHandler(answerTextFailure);
    app.setNotFoundHandler(answerNoText);

    const schema = documented(downloadsReportDocs, { querystring: PeriodQuery });
    const route = { onRequest, exposeHeadRoute: false, schema };
    app.get('/downloads', route, async (request, reply) => {
      const { from = null, to = null } = request.query;
      const period = readReportPeriod({ from, to }, ports.clock.now());
      if (period.kind === 'invalid') return refuseAsText(reply, 400, `“${period.field}” ${period.problem}.`);
      const { orgId } = callerOf(request);
      const { name, contentType, content } = await openDownloadsFile(ports, orgId, period);
      return reply
        .headers({
          'content-type': contentType,
          'content-disposition': `attachment; filename="${name}"`,
          'x-content-type-options': 'nosniff',
        })
        .send(content);
    });
  };
}
