/** The days of a list as they were typed, and what they mean: the last day is included. */
export interface AskedDays {
  readonly from: string;
  readonly to: string;
  /** Why they mean nothing, in a sentence; null when they do. */
  readonly problem: string | null;
  readonly period: { readonly from: Date | null; readonly until: Date | null };
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function readDays(query: URLSearchParams): AskedDays {
  const typed = { from: query.get('from') ?? '', to: query.get('to') ?? '' };
  const [from, to] = [readDay(typed.from), readDay(typed.to)];
  const until = to && new Date(to.getTime() + DAY_MS);
  const wrong = (problem: string) => ({ ...typed, problem, period: { from: null, until: null } });
  if (from === undefined) return wrong('“From” must be a day such as 2026-03-31.');
  if (until === undefined) return wrong('“To” must be a day such as 2026-03-31.');
  if (from && until && from >= until) return wrong('“From” must not be after “To”.');
  return { ...typed, problem: null, period: { from, until } };
}

/** Null when nothing was typed, undefined when it is not a day. */
function readDay(text: string): Date | null | undefined {
  if (text === '') return null;
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00.000Z`) : null;
  if (!day || Number.isNaN(day.getTime())) return undefined;
  // February 30 is a date to the parser, and March 2 to us.
  return day.toISOString().startsWith(text) ? day : undefined;
}
