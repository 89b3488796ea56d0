import {
  ALL_PURCHASES,
  type ProductSum,
  type ReportPeriod,
  readDownloadsReport,
  readReportPeriod,
  writeAmount,
} from '@handover/domain';
import { nameDownloadsCsv, writeDownloadsCsv } from '../../api/downloads-csv.ts';
import type { HttpPorts } from '../../http-ports.ts';
import { asText, writeCsv } from '../../streaming/write-csv.ts';
import { csvAnswer } from '../csv-answer.ts';
import { type Answer, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { netAmounts } from '../parts/net-amounts.ts';
import { DOWNLOADS, downloadsReportPage } from './downloads-report-page.ts';
import { type AskedPeriod, dayOf, wrongPeriodPage } from './report-frame.ts';
import { MAX_PRODUCT_ROWS, SALES, salesReportPage } from './sales-report-page.ts';

type Ports = Pick<HttpPorts, 'clock' | 'deliveries' | 'metrics' | 'platforms' | 'purchases' | 'sessions'>;

/** Rows of the sales report as CSV: a product has one for each of its currencies. */
const MAX_CSV_ROWS = 20_000;

/** The reports over time, each as a page and as CSV. */
export function reportRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/reports', 'admin', async ({ orgId, query, now }) => {
      const asked = readPeriod(query);
      const report = await readDownloadsReport(ports, orgId, asked);
      return report.kind === 'invalid'
        ? wrongPeriodPage(DOWNLOADS, asked, report)
        : downloadsReportPage(report, now);
    }),

    page('/reports/downloads.csv', 'admin', async ({ orgId, query }) => {
      const asked = readPeriod(query);
      const period = readReportPeriod(asked, ports.clock.now());
      if (period.kind === 'invalid') return wrongPeriodPage(DOWNLOADS, asked, period);
      return csvAnswer(nameDownloadsCsv(period), writeDownloadsCsv(ports.sessions.list(orgId, period)));
    }),

    page('/reports/sales', 'admin', (context) => showSales(ports, context)),
    page('/reports/sales.csv', 'admin', (context) => downloadSales(ports, context)),
  ];
}

async function showSales(ports: Ports, { orgId, query, now }: DashboardRequest): Promise<Answer> {
  const { deliveries, platforms, purchases } = ports;
  const asked = readPeriod(query);
  const period = readReportPeriod(asked, now);
  if (period.kind === 'invalid') return wrongPeriodPage(SALES, asked, period);
  const [sums, products, sources] = await Promise.all([
    purchases.sum(orgId, { ...ALL_PURCHASES, period }),
    purchases.sumByProduct(orgId, { ...ALL_PURCHASES, period }, MAX_PRODUCT_ROWS + 1),
    deliveries.listSources(orgId),
  ]);
  const net = netAmounts(platforms, sources);
  return salesReportPage({ period: daysOf(period), sums, products, net, now });
}

async function downloadSales({ purchases }: Ports, { orgId, query, now }: DashboardRequest): Promise<Answer> {
  const asked = readPeriod(query);
  const period = readReportPeriod(asked, now);
  if (period.kind === 'invalid') return wrongPeriodPage(SALES, asked, period);
  const sums = await purchases.sum(orgId, { ...ALL_PURCHASES, period });
  const products = await purchases.sumByProduct(orgId, { ...ALL_PURCHASES, period }, MAX_CSV_ROWS + 1);
  // A list that is cut would add up to less than was sold.
  if (products === 'took-too-long' || products.length > MAX_CSV_ROWS)
    return salesReportPage({ period: daysOf(period), sums, products: 'took-too-long', net: null, now });
  const { from, to } = daysOf(period);
  return csvAnswer(`sales_${from}_${to}.csv`, writeSalesCsv(products));
}

/** An empty field counts as missing. */
function readPeriod(query: URLSearchParams): AskedPeriod {
  return { from: query.get('from') || null, to: query.get('to') || null };
}

/** The first and the last day. */
function daysOf({ from, until }: ReportPeriod): AskedPeriod {
  return { from: dayOf(from), to: dayOf(new Date(until.getTime() - 1)) };
}

function writeSalesCsv(rows: readonly ProductSum[]): AsyncIterable<Uint8Array> {
  return writeCsv<ProductSum>(
    {
      product: ({ productName }) => asText(productName),
      currency: ({ currency }) => asText(currency ?? ''),
      purchases: ({ purchases }) => String(purchases),
      amount: ({ amount, currency }) => writeAmount(amount, currency),
      revoked: ({ revoked }) => String(revoked),
      revokedAmount: ({ revokedAmount, currency }) => writeAmount(revokedAmount, currency),
      productId: ({ productId }) => productId,
    },
    rows,
  );
}
