import type { DownloadDay, DownloadsReport } from '@handover/domain';
import { html } from '@handover/html';
import { formatSize, isoDay } from '../../pages/words.ts';
import type { Answer, DashboardRequest } from '../dashboard-route.ts';
import { dayChart } from '../parts/chart.ts';
import { daysInTitle, listTitle } from '../parts/list-title.ts';
import { metricRow } from '../parts/metrics.ts';
import { counted, formatCount } from '../parts/money.ts';
import { formatShortDay } from '../parts/time.ts';
import { periodForm, periodLinks, type Report, reportHeader } from './report-frame.ts';

export const DOWNLOADS: Report = {
  path: '/dashboard/reports',
  csv: '/dashboard/reports/downloads.csv',
  meta: 'Downloads by the day they began',
};

export function downloadsReportPage(
  report: DownloadsReport,
  { now, expectsSemicolons }: Pick<DashboardRequest, 'now' | 'expectsSemicolons'>,
): Answer {
  const { days, total } = report;
  const period = { from: days.at(0)?.day ?? '', to: days.at(-1)?.day ?? '' };
  const main = html`${reportHeader(DOWNLOADS, period, expectsSemicolons)}${periodForm(DOWNLOADS, period)}${periodLinks(DOWNLOADS, period, now)}
<section class="card">${metricRow([
    { label: 'Downloads', value: formatCount(total.downloads), note: bestDay(days) },
    { label: 'Finished', value: formatCount(total.finished), note: formatUnfinished(total) },
    sizeFigure(total.bytes),
    { label: 'Buyers', value: formatCount(total.buyers), note: 'Each counted once' },
  ])}
<section>${dayChart({
    title: `Downloads in ${counted(days.length, 'day')}`,
    days: days.map(({ day, downloads, finished }) => ({ day, bars: [finished, downloads - finished] })),
    bars: [
      { words: 'Finished', tone: 'delivered' },
      { words: 'Not finished', tone: 'quiet' },
    ],
    today: isoDay(now),
    nothing: 'No downloads in this period',
  })}</section></section>`;
  const windowTitle = listTitle('Reports', [daysInTitle(period)]);
  return { kind: 'page', title: 'Reports', windowTitle, main };
}

function bestDay(days: readonly DownloadDay[]): string {
  const best = days.reduce<DownloadDay | null>(
    (most, day) => (day.downloads > (most?.downloads ?? 0) ? day : most),
    null,
  );
  if (!best) return 'None on any day';
  // Its narrow place must not part the day and the month.
  const day = formatShortDay(new Date(best.day)).replace(' ', '\u00a0');
  return `Most on ${day}: ${formatCount(best.downloads)}`;
}

function formatUnfinished({ downloads, finished }: DownloadsReport['total']): string {
  const unfinished = downloads - finished;
  if (downloads === 0) return 'None started';
  return unfinished === 0 ? 'All that began' : `${formatCount(unfinished)} interrupted or in progress`;
}

function sizeFigure(bytes: number) {
  const [value = '', unit = ''] = formatSize(bytes).split(' ');
  return { label: 'Sent', value, unit, note: 'Repeats counted too' };
}
