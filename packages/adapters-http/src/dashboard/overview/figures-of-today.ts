import type { TodayFigures } from '@handover/domain';
import { figureRow } from '../parts/figures.ts';
import { countInWords } from '../parts/money.ts';
import { elapsedInWords } from '../parts/time.ts';

/** Four numbers, and beside each what to hold it against. */
export function figuresOfToday(today: TodayFigures, now: Date): string {
  const { orders, delivered, downloadsCompleted, downloadsRunning } = today;
  const running = downloadsRunning === 0 ? 'None' : countInWords(downloadsRunning);
  const [median = '', unit = ''] = splitUnit(today.receiptMedianMs);
  return figureRow([
    { label: 'Orders today', value: countInWords(orders), note: comparedWithLastWeek(today, now) },
    { label: 'Delivered', value: countInWords(delivered), note: theOthers(today) },
    {
      label: 'Downloads finished',
      value: countInWords(downloadsCompleted),
      note: `${running} in progress now`,
    },
    { label: 'Order to receipt, median', value: median, unit, note: slowest(today) },
  ]);
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
