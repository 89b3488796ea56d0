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
import { isoDay } from '../../pages/words.ts';
import { asText, type CsvFormat, writeCsv } from '../../streaming/write-csv.ts';
import { csvAnswer, readCsvFormat } from '../csv-answer.ts';
import { type Answer, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { readTexts } from '../parts/form.ts';
import { netAmounts } from '../parts/net-amounts.ts';
import { listUsedSources } from '../purchases/source-words.ts';
import { DOWNLOADS, downloadsReportPage } from './downloads-report-page.ts';
import { type AskedPeriod, wrongPeriodPage } from './report-frame.ts';
import {
  keyOf,
  MAX_PRODUCT_ROWS,
  type RefundedProducts,
  SALES,
  salesReportPage,
  tooManySalesPage,
} from './sales-report-page.ts';

type Ports = Pick<HttpPorts, 'clock' | 'deliveries' | 'metrics' | 'platforms' | 'purchases' | 'sessions'>;

/** Rows of the sales report as CSV: a product has one for each of its currencies. */
const MAX_CSV_ROWS = 20_000;

/** The reports over time, each as a page and as CSV. */
export function reportRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/reports', 'admin', async (request) => {
      const asked = readTexts(request.query, 'from', 'to');
      const report = await readDownloadsReport(ports, request.orgId, orNull(asked));
      return report.kind === 'invalid'
        ? wrongPeriodPage(DOWNLOADS, asked, report)
        : downloadsReportPage(report, request);
    }),

    page('/reports/downloads.csv', 'admin', async ({ orgId, query, now }) => {
      const asked = readTexts(query, 'from', 'to');
      const period = readReportPeriod(orNull(asked), now);
      if (period.kind === 'invalid') return wrongPeriodPage(DOWNLOADS, asked, period);
      return csvAnswer(
        nameDownloadsCsv(period),
        writeDownloadsCsv(ports.sessions.list(orgId, period), readCsvFormat(query)),
      );
    }),

    page('/reports/sales', 'admin', (context) => showSales(ports, context)),
    page('/reports/sales.csv', 'admin', (context) => downloadSales(ports, context)),
  ];
}

async function showSales(
  ports: Ports,
  { orgId, query, now, expectsSemicolons }: DashboardRequest,
): Promise<Answer> {
  const { deliveries, platforms, purchases } = ports;
  const asked = readTexts(query, 'from', 'to');
  const period = readReportPeriod(orNull(asked), now);
  if (period.kind === 'invalid') return wrongPeriodPage(SALES, asked, period);
  const isRefunded = true as const;
  const [sums, products, refunded, refundedProducts, reported, connections] = await Promise.all([
    purchases.sum(orgId, { ...ALL_PURCHASES, period }),
    purchases.sumByProduct(orgId, { ...ALL_PURCHASES, period }, MAX_PRODUCT_ROWS + 1),
    purchases.sum(orgId, { ...ALL_PURCHASES, period, isRefunded }),
    sumRefundedProducts(ports, orgId, period),
    purchases.sum(orgId, { ...ALL_PURCHASES, isRefunded, refundedIn: period }),
    deliveries.listSources(orgId),
  ]);
  const shown = { period: daysOf(period), now, expectsSemicolons };
  if (sums === 'took-too-long' || products === 'took-too-long') return tooManySalesPage(shown);
  const refunds = { sums: refunded, products: refundedProducts, reported };
  const net = netAmounts(platforms, connections);
  const sources = listUsedSources(platforms, connections);
  return salesReportPage({ ...shown, sums, products, refunds, sources, net });
}

async function downloadSales(ports: Ports, request: DashboardRequest): Promise<Answer> {
  const { orgId, query, now, expectsSemicolons } = request;
  const asked = readTexts(query, 'from', 'to');
  const period = readReportPeriod(orNull(asked), now);
  if (period.kind === 'invalid') return wrongPeriodPage(SALES, asked, period);
  const [products, refunded] = await Promise.all([
    ports.purchases.sumByProduct(orgId, { ...ALL_PURCHASES, period }, MAX_CSV_ROWS + 1),
    sumRefundedProducts(ports, orgId, period),
  ]);
  const days = daysOf(period);
  // A list that is cut would add up to less than was sold.
  const isWhole = products !== 'took-too-long' && products.length <= MAX_CSV_ROWS;
  if (!isWhole || refunded === 'took-too-long')
    return tooManySalesPage({ period: days, now, expectsSemicolons });
  const csv = writeSalesCsv(products, refunded, readCsvFormat(query));
  return csvAnswer(`sales_${days.from}_${days.to}.csv`, csv);
}

/** Never cut: a product that is missing would look as if nobody got money back for it. */
async function sumRefundedProducts(
  { purchases }: Ports,
  orgId: string,
  period: ReportPeriod,
): Promise<RefundedProducts> {
  const filter = { ...ALL_PURCHASES, period, isRefunded: true } as const;
  const products = await purchases.sumByProduct(orgId, filter, MAX_CSV_ROWS + 1);
  if (products === 'took-too-long' || products.length > MAX_CSV_ROWS) return 'took-too-long';
  return new Map(products.map((row) => [keyOf(row), row]));
}

/** An empty field counts as missing. */
function orNull({ from, to }: AskedPeriod) {
  return { from: from || null, to: to || null };
}

/** The first and the last day. */
function daysOf({ from, until }: ReportPeriod): AskedPeriod {
  return { from: isoDay(from), to: isoDay(new Date(until.getTime() - 1)) };
}

function writeSalesCsv(
  rows: readonly ProductSum[],
  refunded: ReadonlyMap<string, ProductSum>,
  format: CsvFormat,
): AsyncIterable<Uint8Array> {
  return writeCsv<ProductSum>(
    {
      product: ({ productName }) => asText(productName),
      currency: ({ currency }) => asText(currency ?? ''),
      purchases: ({ purchases }) => String(purchases),
      amount: ({ amount, currency }) => ({ decimal: writeAmount(amount, currency) }),
      revoked: ({ revoked }) => String(revoked),
      revokedAmount: ({ revokedAmount, currency }) => ({ decimal: writeAmount(revokedAmount, currency) }),
      productId: ({ productId }) => productId,
      refunded: (row) => String(refunded.get(keyOf(row))?.purchases ?? 0),
      refundedAmount: (row) => ({
        decimal: writeAmount(refunded.get(keyOf(row))?.amount ?? '0', row.currency),
      }),
    },
    rows,
    format,
  );
}
