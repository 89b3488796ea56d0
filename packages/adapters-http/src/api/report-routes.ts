import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { type ReportPeriod, readReportPeriod } from '@handover/domain';
import type { FastifyPluginAsync } from 'fastify';
import { Type } from 'typebox';
import type { HttpPorts } from '../http-ports.ts';
import { answerNoText, answerTextFailure, refuseAsText } from '../requests/answer-text.ts';
import { startStream } from '../streaming/start-stream.ts';
import { callerOf, requireCaller } from './caller.ts';
import { writeDownloadsCsv } from './downloads-csv.ts';
import { downloadsReportDocs } from './report-docs.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

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
export function reportRoutes(ports: HttpPorts): FastifyPluginAsync {
  const onRequest = requireCaller(ports, 'admin', refuseAsText);
  return async (instance) => {
    const app = instance.withTypeProvider<TypeBoxTypeProvider>();
    app.setErrorHandler(answerTextFailure);
    app.setNotFoundHandler(answerNoText);

    const schema = { querystring: PeriodQuery };
    const route = { onRequest, exposeHeadRoute: false, schema, config: { docs: downloadsReportDocs } };
    app.get('/downloads', route, async (request, reply) => {
      const { from = null, to = null } = request.query;
      const period = readReportPeriod({ from, to }, ports.clock.now());
      if (period.kind === 'invalid') return refuseAsText(reply, 400, `“${period.field}” ${period.problem}.`);
      const { orgId } = callerOf(request);
      const stream = await startStream(writeDownloadsCsv(ports.sessions.list(orgId, period)));
      return reply
        .headers({
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="${fileName(period)}"`,
          'x-content-type-options': 'nosniff',
        })
        .send(stream);
    });
  };
}

function fileName({ from, until }: ReportPeriod): string {
  const last = new Date(until.getTime() - DAY_MS);
  return `downloads_${day(from)}_${day(last)}.csv`;
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
