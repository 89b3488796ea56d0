import { readDay } from '../model/day.ts';
import type { InvalidInput } from '../model/validation.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_DAYS = 30;

/** From the beginning of the first day to the beginning of the day after the last, UTC. */
export interface ReportPeriod {
  readonly kind: 'period';
  readonly from: Date;
  readonly until: Date;
}

/** `reason`: for callers with other names for the fields than `from` and `to`. */
export interface InvalidPeriod extends InvalidInput {
  readonly reason: 'not-a-day' | 'reversed' | 'too-long';
}

/**
 * Reads the first and last day of a report, both inclusive and optional. Without `to` it ends today; without `from` it has thirty
 * days.
 */
export function readReportPeriod(
  { from, to }: { readonly from: string | null; readonly to: string | null },
  now: Date,
): ReportPeriod | InvalidPeriod {
  const today = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const last = to === null ? today : readDay(to);
  if (!last) return invalidDay('to');
  const first = from === null ? addDays(last, 1 - DEFAULT_DAYS) : readDay(from);
  if (!first) return invalidDay('from');
  if (first > last) return invalid('from', 'reversed', `must not be after ${to === null ? 'today' : '“to”'}`);
  return { kind: 'period', from: first, until: addDays(last, 1) };
}

function addDays(day: Date, days: number): Date {
  return new Date(day.getTime() + days * DAY_MS);
}

function invalidDay(field: string): InvalidPeriod {
  return invalid(field, 'not-a-day', 'must be a day such as 2026-03-31');
}

function invalid(field: string, reason: InvalidPeriod['reason'], problem: string): InvalidPeriod {
  return { kind: 'invalid', field, reason, problem };
}
