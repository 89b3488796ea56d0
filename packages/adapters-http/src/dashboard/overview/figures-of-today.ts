import type { TodayFigures } from '@handover/domain';
import { html } from 'ghtml';
import { countInWords } from '../parts/money.ts';
import { elapsedInWords } from '../parts/time.ts';

/** Four numbers, and beside each what to hold it against. */
export function figuresOfToday(today: TodayFigures, now: Date): string {
  const { orders, delivered, downloadsCompleted, downloadsRunning } = today;
  const running = downloadsRunning === 0 ? 'None' : countInWords(downloadsRunning);
  const [median = '', unit = ''] = splitUnit(today.receiptMedianMs);
  return html`<dl class="figures" id="figures">!${[
    figure('Orders today', countInWords(orders), comparedWithLastWeek(today, now)),
    figure('Delivered', countInWords(delivered), theOthers(today)),
    figure('Downloads finished', countInWords(downloadsCompleted), `${running} in progress now`),
    figure('Order to receipt, median', median, slowest(today), unit),
  ]}</dl>`;
}

function figure(label: string, value: string, words: string, unit = ''): string {
  return html`<div><dt>${label}</dt><dd><span class="figure-value">${value}!${unit && html` <small>${unit}</small>`}</span><span>${words}</span></dd></div>`;
}

/** "6 more than last Wednesday by now". */
function comparedWithLastWeek({ orders, ordersAWeekAgo }: TodayFigures, now: Date): string {
  const then = `last ${WEEKDAY.format(now)} by now`;
  const more = orders - ordersAWeekAgo;
  if (ordersAWeekAgo === 0) return `None ${then}`;
  if (more === 0) return `As many as ${then}`;
  return `${countInWords(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'} than ${then}`;
}

function theOthers({ orders, delivered, held, failed }: TodayFigures): string {
  const counts = [
    [held, 'held'],
    [failed, 'failed'],
    [orders - delivered - held - failed, 'on the way'],
  ] as const;
  const parts = counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${countInWords(count)} ${what}`);
  return parts.join(', ') || 'None held, none failed';
}

function slowest({ receiptSlowestMs }: TodayFigures): string {
  return receiptSlowestMs === null
    ? 'No receipt sent today'
    : `Slowest today ${elapsedInWords(receiptSlowestMs)}`;
}

/** "1.4 s" in two; what has more parts, as "9 min 02 s", stays whole. */
function splitUnit(ms: number | null): readonly string[] {
  if (ms === null) return ['–'];
  const words = elapsedInWords(ms);
  const parts = words.split(' ');
  return parts.length === 2 ? parts : [words];
}

const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });
