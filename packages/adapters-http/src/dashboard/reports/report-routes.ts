import { readDownloadsReport, readReportPeriod } from '@handover/domain';
import { nameDownloadsCsv, writeDownloadsCsv } from '../../api/downloads-csv.ts';
import type { HttpPorts } from '../../http-ports.ts';
import { csvAnswer } from '../csv-answer.ts';
import { type DashboardRoute, page } from '../dashboard-route.ts';
import { type AskedPeriod, downloadsReportPage, wrongPeriodPage } from './downloads-report-page.ts';

type Ports = Pick<HttpPorts, 'clock' | 'metrics' | 'sessions'>;

/** The report of downloads over time, as a page and as CSV. */
export function reportRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/reports', 'admin', async ({ orgId, query, now }) => {
      const asked = readPeriod(query);
      const report = await readDownloadsReport(ports, orgId, asked);
      return report.kind === 'invalid' ? wrongPeriodPage(asked, report) : downloadsReportPage(report, now);
    }),

    page('/reports/downloads.csv', 'admin', async ({ orgId, query }) => {
      const asked = readPeriod(query);
      const period = readReportPeriod(asked, ports.clock.now());
      if (period.kind === 'invalid') return wrongPeriodPage(asked, period);
      return csvAnswer(nameDownloadsCsv(period), writeDownloadsCsv(ports.sessions.list(orgId, period)));
    }),
  ];
}

/** An empty field counts as missing. */
function readPeriod(query: URLSearchParams): AskedPeriod {
  return { from: query.get('from') || null, to: query.get('to') || null };
}
