import { readDay } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { isoDay } from '../../pages/words.ts';
import { readTexts } from './form.ts';

/** The days of a list as they were typed, and what they mean: the last day is included. */
export interface AskedDays {
  readonly from: string;
  readonly to: string;
  /** Why they mean nothing, in a sentence; null when they do. */
  readonly problem: string | null;
  readonly period: { readonly from: Date | null; readonly until: Date | null };
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function readDays(query: URLSearchParams, now: Date): AskedDays {
  const typed = readTexts(query, 'from', 'to');
  const [from, to] = [typed.from, typed.to].map((text) =>
    text === '' ? null : (readDay(text) ?? undefined),
  );
  const until = to && new Date(to.getTime() + DAY_MS);
  const wrong = (problem: string) => ({ ...typed, problem, period: { from: null, until: null } });
  if (from === undefined) return wrong('“From” must be a day such as 2026-03-31.');
  if (until === undefined) return wrong('“To” must be a day such as 2026-03-31.');
  if (from && from > now) return wrong('“From” is after today (UTC). Choose today or an earlier day.');
  if (from && until && from >= until) return wrong('“From” must not be after “To”.');
  return { ...typed, problem: null, period: { from, until } };
}

/** Two fields, by which the filters of a list choose its days. */
export function daysFields({ from, to }: AskedDays): Html {
  return html`<div class="days"><label for="from">From<span class="visually-hidden"> this day</span></label><input class="input" type="date" id="from" name="from" value="${from}"><label for="to">to<span class="visually-hidden"> this day</span></label><input class="input" type="date" id="to" name="to" value="${to}"></div>`;
}

/** The name of a table of these days: “purchases_2026-03-01_2026-03-31.csv”. */
export function nameCsv(what: string, { from, to }: AskedDays, now: Date): string {
  return `${what}_${from === '' ? '' : `${from}_`}${to || isoDay(now)}.csv`;
}
