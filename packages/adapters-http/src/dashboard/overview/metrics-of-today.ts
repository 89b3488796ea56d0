import type { TodayMetrics } from '@handover/domain';
import type { Html } from '@handover/html';
import { metricRow } from '../parts/metrics.ts';
import { formatCount } from '../parts/money.ts';
import { formatElapsed, formatter } from '../parts/time.ts';

/** Four numbers, each with a comparison. */
export function metricsOfToday(today: TodayMetrics, now: Date): Html {
  const { orders, delivered, downloadsCompleted, downloadsRunning } = today;
  const running = downloadsRunning === 0 ? 'None' : formatCount(downloadsRunning);
  const [median = '', unit = ''] = splitUnit(today.receiptMedianMs);
  return metricRow([
    { label: 'Orders today', value: formatCount(orders), note: comparedWithLastWeek(today, now) },
    { label: 'Delivered', value: formatCount(delivered), note: theOthers(today) },
    {
      label: 'Downloads finished',
      value: formatCount(downloadsCompleted),
      note: `${running} in progress now`,
    },
    { label: 'Order to receipt, median', value: median, unit, note: slowest(today) },
  ]);
}

/** "6 more than last Wednesday by now". */
function comparedWithLastWeek({ orders, ordersAWeekAgo }: TodayMetrics, now: Date): string {
  const then = `last ${WEEKDAY.format(now)} by now`;
  const more = orders - ordersAWeekAgo;
  if (ordersAWeekAgo === 0) return `None ${then}`;
  if (more === 0) return `As many as ${then}`;
  return `${formatCount(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'} than ${then}`;
}

function theOthers({ orders, delivered, held, failed }: TodayMetrics): string {
  const counts = [
    [held, 'held'],
    [failed, 'failed'],
    [orders - delivered - held - failed, 'on the way'],
  ] as const;
  const parts = counts.filter(([count]) => count > 0).map(([count, what]) => `${formatCount(count)} ${what}`);
  return parts.join(', ') || 'None held, none failed';
}

function slowest({ receiptSlowestMs }: TodayMetrics): string {
  return receiptSlowestMs === null
    ? 'No receipt sent today'
    : `Slowest today ${formatElapsed(receiptSlowestMs)}`;
}

/** Splits "1.4 s" into value and unit; longer texts, such as "9 min 02 s", stay whole. */
function splitUnit(ms: number | null): readonly string[] {
  if (ms === null) return ['–'];
  const words = formatElapsed(ms);
  const parts = words.split(' ');
  return parts.length === 2 ? parts : [words];
}

const WEEKDAY = formatter({ weekday: 'long' });
