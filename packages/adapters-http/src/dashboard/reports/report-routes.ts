import {
  ALL_PURCHASES,
  type ProductSum,
  type PurchaseSource,
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
import { listSources } from '../purchases/source-words.ts';
import { DOWNLOADS, downloadsReportPage } from './downloads-report-page.ts';
import { type AskedPeriod, dayOf, wrongPeriodPage } from './report-frame.ts';
import { keyOf, MAX_PRODUCT_ROWS, type Refunded, SALES, salesReportPage } from './sales-report-page.ts';

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
  const [sums, products, refunded, connections] = await Promise.all([
    purchases.sum(orgId, { ...ALL_PURCHASES, period }),
    purchases.sumByProduct(orgId, { ...ALL_PURCHASES, period }, MAX_PRODUCT_ROWS + 1),
    sumRefunded(ports, orgId, period),
    deliveries.listSources(orgId),
  ]);
  const net = netAmounts(platforms, connections);
  const isSetUp = new Set<PurchaseSource>(connections.map(({ platform }) => platform));
  const sources = listSources(platforms).filter(
    ({ value }) => value === 'dashboard' || value === 'api' || isSetUp.has(value),
  );
  return salesReportPage({ period: daysOf(period), sums, products, refunded, sources, net, now });
}

async function downloadSales(ports: Ports, { orgId, query, now }: DashboardRequest): Promise<Answer> {
  const asked = readPeriod(query);
  const period = readReportPeriod(asked, now);
  if (period.kind === 'invalid') return wrongPeriodPage(SALES, asked, period);
  const sums = await ports.purchases.sum(orgId, { ...ALL_PURCHASES, period });
  const products = await ports.purchases.sumByProduct(orgId, { ...ALL_PURCHASES, period }, MAX_CSV_ROWS + 1);
  const refunded = await sumRefunded(ports, orgId, period);
  const { from, to } = daysOf(period);
  // A list that is cut would add up to less than was sold.
  if (
    products === 'took-too-long' ||
    products.length > MAX_CSV_ROWS ||
    refunded.products === 'took-too-long'
  ) {
    const tooMany = { products: 'took-too-long', sources: [], net: null } as const;
    return salesReportPage({ period: { from, to }, sums, refunded, now, ...tooMany });
  }
  return csvAnswer(`sales_${from}_${to}.csv`, writeSalesCsv(products, refunded.products));
}

/** Never cut: a product that is missing would look as if nobody got money back for it. */
async function sumRefunded({ purchases }: Ports, orgId: string, period: ReportPeriod): Promise<Refunded> {
  const filter = { ...ALL_PURCHASES, period, isRefunded: true } as const;
  const [sums, products, saidNow] = await Promise.all([
    purchases.sum(orgId, filter),
    purchases.sumByProduct(orgId, filter, MAX_CSV_ROWS + 1),
    purchases.sum(orgId, { ...ALL_PURCHASES, isRefunded: true, refundedIn: period }),
  ]);
  if (products === 'took-too-long' || products.length > MAX_CSV_ROWS)
    return { sums, saidNow, products: 'took-too-long' };
  return { sums, saidNow, products: new Map(products.map((row) => [keyOf(row), row])) };
}

/** An empty field counts as missing. */
function readPeriod(query: URLSearchParams): AskedPeriod {
  return { from: query.get('from') || null, to: query.get('to') || null };
}

/** The first and the last day. */
function daysOf({ from, until }: ReportPeriod): AskedPeriod {
  return { from: dayOf(from), to: dayOf(new Date(until.getTime() - 1)) };
}

function writeSalesCsv(
  rows: readonly ProductSum[],
  refunded: ReadonlyMap<string, ProductSum>,
): AsyncIterable<Uint8Array> {
  return writeCsv<ProductSum>(
    {
      product: ({ productName }) => asText(productName),
      currency: ({ currency }) => asText(currency ?? ''),
      purchases: ({ purchases }) => String(purchases),
      amount: ({ amount, currency }) => writeAmount(amount, currency),
      revoked: ({ revoked }) => String(revoked),
      revokedAmount: ({ revokedAmount, currency }) => writeAmount(revokedAmount, currency),
      productId: ({ productId }) => productId,
      refunded: (row) => String(refunded.get(keyOf(row))?.purchases ?? 0),
      refundedAmount: (row) => writeAmount(refunded.get(keyOf(row))?.amount ?? '0', row.currency),
    },
    rows,
  );
}
