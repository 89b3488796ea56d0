import type { DownloadDay, DownloadsReport, InvalidPeriod } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { formatSize } from '../../pages/words.ts';
import type { Answer } from '../dashboard-route.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { dayChart } from '../parts/chart.ts';
import { emptyState } from '../parts/empty-state.ts';
import { textField } from '../parts/form.ts';
import { alertIcon, downloadIcon } from '../parts/icons.ts';
import { daysInTitle, listTitle } from '../parts/list-title.ts';
import { metricRow } from '../parts/metrics.ts';
import { counted, formatCount } from '../parts/money.ts';
import { pageHeader } from '../parts/page-header.ts';
import { formatShortDay } from '../parts/time.ts';

/** The typed values; null where a field is missing. */
export interface AskedPeriod {
  readonly from: string | null;
  readonly to: string | null;
}

export function downloadsReportPage(report: DownloadsReport, now: Date): Answer {
  const { days, total } = report;
  const period = { from: days.at(0)?.day ?? null, to: days.at(-1)?.day ?? null };
  const today = dayOf(now);
  const main = html`${header([
    linkButton(
      `/dashboard/reports/downloads.csv?${new URLSearchParams({ from: period.from ?? '', to: period.to ?? '' })}`,
      {
        words: 'Download CSV',
        icon: downloadIcon,
      },
    ),
  ])}${periodForm(period, null)}${periodLinks(period, today)}
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
    today,
    nothing: 'No downloads in these days',
  })}</section></section>`;
  const windowTitle = listTitle('Reports', [daysInTitle({ from: period.from ?? '', to: period.to ?? '' })]);
  return { kind: 'page', title: 'Reports', windowTitle, main };
}

/** The form with the typed values and the problem. */
export function wrongPeriodPage(asked: AskedPeriod, problem: InvalidPeriod): Answer {
  const main = html`${header([])}${periodForm(asked, problem)}<section class="card">${emptyState({
    icon: alertIcon,
    title: 'No report for these days',
    sentence: 'Correct the day above, or leave both empty for the last thirty days.',
    actions: [linkButton('/dashboard/reports', { words: 'Last 30 days' })],
  })}</section>`;
  return { kind: 'page', status: 400, title: 'Reports', main };
}

function header(actions: readonly Html[]): Html {
  return pageHeader({ title: 'Reports', meta: ['Downloads by the day they began', 'Days are UTC'], actions });
}

function periodForm({ from, to }: AskedPeriod, problem: InvalidPeriod | null): Html {
  const problemOf = (field: string) => (problem?.field === field ? explain(problem, to) : null);
  const field = (name: string, label: string, value: string | null) =>
    textField({ type: 'date', name, label, value: value ?? '', problem: problemOf(name) });
  return html`<form class="period" method="get" action="/dashboard/reports">${field('from', 'First day', from)}${field('to', 'Last day', to)}${submitButton({ words: 'Show', icon: null })}</form>`;
}

/** Explains the problem and its remedy with the form's labels. */
function explain({ field, reason }: InvalidPeriod, to: string | null): string {
  switch (reason) {
    case 'not-a-day':
      return `The ${field === 'from' ? 'first' : 'last'} day is not a date. Write one such as 2026-03-31.`;
    case 'reversed':
      return to === null
        ? 'The first day is after today. Choose today or an earlier day.'
        : 'The first day is after the last day. Choose an earlier first day, or a later last day.';
    case 'too-long':
      return 'A report has at most 366 days. Choose a later first day, or an earlier last day.';
  }
}

/** Links to the most common periods. */
function periodLinks({ from, to }: AskedPeriod, today: string): Html {
  const lengths = [7, 30, 90, 365];
  return html`<nav class="period-links" aria-label="Usual periods">${lengths.map((length) => {
    const first = dayOf(new Date(Date.parse(today) - (length - 1) * DAY_MS));
    const isShown = from === first && to === today;
    return html`<a href="/dashboard/reports?from=${first}&amp;to=${today}" ${isShown ? html`aria-current="true"` : ''}>${length} days</a>`;
  })}</nav>`;
}

const DAY_MS = 24 * 60 * 60 * 1000;

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function bestDay(days: readonly DownloadDay[]): string {
  const best = days.reduce<DownloadDay | null>(
    (most, day) => (day.downloads > (most?.downloads ?? 0) ? day : most),
    null,
  );
  if (!best) return 'None on any day';
  return `Most on ${formatShortDay(new Date(best.day))}: ${formatCount(best.downloads)}`;
}

function formatUnfinished({ downloads, finished }: DownloadsReport['total']): string {
  const unfinished = downloads - finished;
  if (downloads === 0) return 'None begun';
  return unfinished === 0 ? 'All that began' : `${formatCount(unfinished)} broke off or go on`;
}

function sizeFigure(bytes: number) {
  const [value = '', unit = ''] = formatSize(bytes).split(' ');
  return { label: 'Sent', value, unit, note: 'Repeats counted too' };
}
