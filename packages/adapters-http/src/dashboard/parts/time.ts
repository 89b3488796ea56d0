import { type Html, html } from '@handover/html';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * For lists: "just now", "4 min ago", "2 h ago", "yesterday", "9 Oct", "9 Oct 2025". Its title has the
 * exact time.
 */
export function relativeTime(at: Date, now: Date): Html {
  return timeElement(at, formatSince(at, now), formatExactTime(at));
}

/**
 * For details: "14 October 2026, 14:02:11 UTC". Sentences about a time to come put it after "after" or "until" or after a colon
 * ("Next try: …"), or, if they also say how long it is until then, in brackets behind that; never after "at" or "from".
 */
export function exactTime(at: Date): Html {
  return timeElement(at, formatExactTime(at));
}

/** For the end of a link, which is near: "16 Oct, 14:02 UTC". */
export function dayAndMinute(at: Date): Html {
  return timeElement(at, `${DAY_AND_MINUTE.format(at)} UTC`, formatExactTime(at));
}

/** For details without a time: "14 October 2026". */
export function dayOf(at: Date): Html {
  return timeElement(at, longDay(at));
}

/** For lists of chosen days: "9 Oct 2026". Its title has the exact time. */
export function shortDay(at: Date): Html {
  return timeElement(at, SHORT_WITH_YEAR.format(at), formatExactTime(at));
}

/** Within the list of one day: "14:02". Its title has the exact time. */
export function timeOfDay(at: Date): Html {
  return timeElement(at, at.toISOString().slice(11, 16), formatExactTime(at));
}

/** The heading of such a list: "Today", "Yesterday", "14 October 2026". */
export function formatDay(at: Date, now: Date): string {
  const days = Math.floor(now.getTime() / DAY) - Math.floor(at.getTime() / DAY);
  if (days === 0) return 'Today';
  return days === 1 ? 'Yesterday' : longDay(at);
}

/** For a timeline: the time since its first event, such as "+ 1.4 s" or "+ 9 min 02 s". */
export function elapsedTime(at: Date, since: Date): Html {
  return timeElement(at, `+ ${formatElapsed(at.getTime() - since.getTime())}`, formatExactTime(at));
}

/** "12 ms", "1.4 s", "9 min 02 s", "3 h 12 min", "2 days 4 h". */
export function formatElapsed(milliseconds: number): string {
  const ms = Math.max(0, Math.round(milliseconds));
  if (ms < SECOND) return `${ms} ms`;
  if (ms < MINUTE) return `${(Math.floor(ms / 100) / 10).toString()} s`;
  if (ms < HOUR) return two(Math.floor(ms / MINUTE), 'min', Math.floor((ms % MINUTE) / SECOND), 's');
  if (ms < DAY) return two(Math.floor(ms / HOUR), 'h', Math.floor((ms % HOUR) / MINUTE), 'min');
  const days = Math.floor(ms / DAY);
  return two(days, days === 1 ? 'day' : 'days', Math.floor((ms % DAY) / HOUR), 'h');
}

function two(count: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0
    ? `${count} ${unit}`
    : `${count} ${unit} ${String(rest).padStart(restUnit === 's' ? 2 : 1, '0')} ${restUnit}`;
}

function formatSince(at: Date, now: Date): string {
  const passed = now.getTime() - at.getTime();
  if (passed >= 0 && passed < MINUTE) return 'just now';
  if (passed >= 0 && passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  const days = Math.floor(now.getTime() / DAY) - Math.floor(at.getTime() / DAY);
  if (passed >= 0 && (days === 0 || passed < 12 * HOUR)) return `${Math.floor(passed / HOUR)} h ago`;
  if (days === 1) return 'yesterday';
  return at.getUTCFullYear() === now.getUTCFullYear() ? SHORT.format(at) : SHORT_WITH_YEAR.format(at);
}

function formatExactTime(at: Date): string {
  return `${longDay(at)}, ${at.toISOString().slice(11, 19)} UTC`;
}

/** "14 October 2026". */
export function longDay(at: Date): string {
  return LONG.format(at);
}

/** "9 Oct". */
export function formatShortDay(at: Date): string {
  return SHORT.format(at);
}

/** "14 October". */
export function formatDayOfYear(at: Date): string {
  return LONG_WITHOUT_YEAR.format(at);
}

const SHORT = formatter({ day: 'numeric', month: 'short' });
const DAY_AND_MINUTE = formatter({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const SHORT_WITH_YEAR = formatter({ day: 'numeric', month: 'short', year: 'numeric' });
const LONG_WITHOUT_YEAR = formatter({ day: 'numeric', month: 'long' });
const LONG = formatter({ day: 'numeric', month: 'long', year: 'numeric' });

/** Pages show days and times in UTC. */
export function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
}

function timeElement(at: Date, words: string, title: string | null = null): Html {
  const titled = title === null ? '' : html` title="${title}"`;
  return html`<time datetime="${at.toISOString()}"${titled}>${words}</time>`;
}
