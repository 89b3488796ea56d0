import type { InvalidPeriod } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { isoDay } from '../../pages/words.ts';
import { withSemicolons } from '../csv-answer.ts';
import type { Answer } from '../dashboard-route.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import type { AskedDays } from '../parts/days.ts';
import { emptyState } from '../parts/empty-state.ts';
import { textField } from '../parts/form.ts';
import { alertIcon, downloadIcon } from '../parts/icons.ts';
import { pageHeader } from '../parts/page-header.ts';

/** What the pages of all reports have: their head, their tabs, and the days. */
export interface Report {
  readonly path: string;
  /** Where its table is downloaded. */
  readonly csv: string;
  /** What is counted on which day. */
  readonly meta: string;
}

/** The days, first and last; empty where a field is. */
export type AskedPeriod = Pick<AskedDays, 'from' | 'to'>;

const TABS = [
  { name: 'Downloads', path: '/dashboard/reports' },
  { name: 'Sales', path: '/dashboard/reports/sales' },
] as const;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Without a period there is no table to download. */
export function reportHeader(report: Report, period: AskedPeriod | null, expectsSemicolons = false): Html {
  const days = period && new URLSearchParams({ ...period });
  const csv = `${report.csv}?${days}`;
  const semicolons = expectsSemicolons
    ? [linkButton(withSemicolons(csv), { words: 'CSV with semicolons', icon: downloadIcon })]
    : [];
  const actions = days ? [...semicolons, linkButton(csv, { words: 'Download CSV', icon: downloadIcon })] : [];
  const tabs = TABS.map(
    ({ name, path }) =>
      html`<a href="${path}${days && `?${days}`}" ${path === report.path && html`aria-current="page"`}>${name}</a>`,
  );
  return html`${pageHeader({ title: 'Reports', meta: [report.meta, 'Days are UTC'], actions })}
<nav class="tabs-nav" aria-label="Reports">${tabs}</nav>`;
}

/** The form with the typed values and the problem. */
export function wrongPeriodPage(report: Report, asked: AskedPeriod, problem: InvalidPeriod): Answer {
  const main = html`${reportHeader(report, null)}${periodForm(report, asked, problem)}<section class="card">${emptyState(
    {
      icon: alertIcon,
      title: 'No report for this period',
      sentence: 'Correct the day above, or leave both empty for the last thirty days.',
      actions: [linkButton(report.path, { words: 'Last 30 days' })],
    },
  )}</section>`;
  return { kind: 'page', status: 400, title: 'Reports', main };
}

export function periodForm(
  report: Report,
  { from, to }: AskedPeriod,
  problem: InvalidPeriod | null = null,
): Html {
  const problemOf = (field: string) => (problem?.field === field ? explain(problem, to) : null);
  const field = (name: string, label: string, value: string) =>
    textField({ type: 'date', name, label, value, problem: problemOf(name) });
  return html`<form class="period" method="get" action="${report.path}">${field('from', 'First day', from)}${field('to', 'Last day', to)}${submitButton({ words: 'Show' })}</form>`;
}

/** Explains the problem and its remedy with the form's labels. */
function explain({ field, reason }: InvalidPeriod, to: string): string {
  switch (reason) {
    case 'not-a-day':
      return `The ${field === 'from' ? 'first' : 'last'} day is not a date. Write one such as 2026-03-31.`;
    case 'reversed':
      return to === ''
        ? 'The first day is after today. Choose today or an earlier day.'
        : 'The first day is after the last day. Choose an earlier first day, or a later last day.';
    case 'too-long':
      return 'A report has at most 366 days. Choose a later first day, or an earlier last day.';
  }
}

/** Links to the most common periods: books are kept by the month. */
export function periodLinks(report: Report, { from, to }: AskedPeriod, now: Date): Html {
  const today = isoDay(now);
  const month = (offset: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset);
  const usual = [
    ...[7, 30, 90, 365].map((length) => ({
      words: `${length} days`,
      first: isoDay(new Date(Date.parse(today) - (length - 1) * DAY_MS)),
      last: today,
    })),
    { words: 'This month', first: isoDay(new Date(month(0))), last: today },
    { words: 'Last month', first: isoDay(new Date(month(-1))), last: isoDay(new Date(month(0) - DAY_MS)) },
  ];
  return html`<nav class="period-links" aria-label="Usual periods">${usual.map(
    ({ words, first, last }) =>
      html`<a href="${report.path}?from=${first}&amp;to=${last}" ${from === first && to === last && html`aria-current="true"`}>${words}</a>`,
  )}</nav>`;
}
