import type {
  ActionItemsOverview,
  FirstSteps,
  MetricsOverview,
  PlatformState,
  Platforms,
  TodayMetrics,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import { plusIcon } from '../../pages/icons.ts';
import type { Answer } from '../dashboard-route.ts';
import { linkButton } from '../parts/button.ts';
import { dayChart } from '../parts/chart.ts';
import { checkIcon } from '../parts/icons.ts';
import { metricRow } from '../parts/metrics.ts';
import { formatCount } from '../parts/money.ts';
import { news } from '../parts/news.ts';
import { pageHeader } from '../parts/page-header.ts';
import { formatElapsed, formatter } from '../parts/time.ts';
import { actionItemsCard } from './action-items-card.ts';

export interface Overview extends ActionItemsOverview {
  readonly states: readonly PlatformState[];
  readonly platforms: Platforms;
  readonly steps: FirstSteps;
  readonly metrics: MetricsOverview;
  readonly now: Date;
  readonly csrfToken: string;
}

/** Action items first, then today, then the last thirty days. */
export function overviewPage(overview: Overview): Answer {
  const { steps, metrics, actionItems, dismissed, now } = overview;
  const isNew = !steps.hasSold && !(steps.hasPublished && steps.hasConnected && steps.hasReceived);
  const isQuiet = isNew && !steps.hasReceived;
  const waiting = formatWaiting(actionItems.length);
  const main = html`${pageHeader({
    title: 'Overview',
    meta: [
      html`<time id="as-of" datetime="${now.toISOString()}">${MOMENT.format(now).replace(' at ', ', ')} UTC</time>`,
    ],
    actions: [linkButton('/dashboard/purchases/record', { words: 'Record a sale', icon: plusIcon })],
  })}
<div class="stack">
<div class="stack" id="needs" ${news(waiting)} hx-get="/dashboard/overview" hx-trigger="every 30s" hx-select="#needs" hx-select-oob="#figures,#as-of" hx-swap="outerMorph" data-calm>
${isNew ? firstSteps(steps) : ''}${isQuiet && actionItems.length + dismissed.length === 0 ? '' : actionItemsCard(overview)}
</div>
${isQuiet ? '' : html`<section class="card" aria-label="Metrics">${metricsOfToday(metrics.today, now)}<section>${chart(metrics)}</section></section>`}
</div>`;
  return {
    kind: 'page',
    title: 'Overview',
    windowTitle: waiting ? `${waiting} · Overview` : 'Overview',
    main,
  };
}

/** How much waits, for the title of the tab and for screen readers. */
function formatWaiting(count: number): string | null {
  if (count === 0) return null;
  return count === 1 ? '1 thing needs you' : `${formatCount(count)} things need you`;
}

function chart({ days }: MetricsOverview): Html {
  return dayChart({
    title: 'Last 30 days',
    days: days.map(({ day, delivered, held, failed, downloads }) => ({
      day,
      bars: [delivered, held + failed],
      line: downloads,
    })),
    bars: [
      { words: 'Delivered', tone: 'delivered' },
      { words: 'Held or failed', tone: 'trouble' },
    ],
    line: 'Downloads',
    today: days.at(-1)?.day ?? '',
    nothing: 'No orders in this period',
  });
}

const MOMENT = formatter({
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
});

/** In a new organisation, until all are done: the steps to the first sale. The first open step has the page's primary button. */
function firstSteps(steps: FirstSteps): Html {
  const list = [
    {
      isDone: steps.hasPublished,
      title: 'Create a product, upload its files and publish it',
      sentence: 'A draft delivers nothing: its orders are held until you publish it.',
      href: '/dashboard/products',
      words: 'Go to products',
    },
    {
      isDone: steps.hasConnected,
      title: 'Connect a shop',
      sentence: 'Copy the webhook URL into the shop, and the secret that the shop signs with into Handover.',
      href: '/dashboard/settings/integrations',
      words: 'Connect a shop',
    },
    {
      isDone: steps.hasReceived,
      title: 'Send a test order',
      sentence: 'It goes the whole way: received, matched, mailed and downloaded.',
      href: '/dashboard/settings/integrations',
      words: 'Send a test order',
    },
  ];
  const next = list.findIndex(({ isDone }) => !isDone);
  return html`<section class="card" aria-labelledby="first-steps"><header><div><h2 id="first-steps">First steps</h2><span class="muted">${list.filter(({ isDone }) => isDone).length} of 3 done</span></div></header>
<ol class="need-list">${list.map(
    ({ isDone, title, sentence, href, words }, at) => html`<li>
<span class="tile"${isDone ? html` data-tone="success"` : ''}>${isDone ? checkIcon : html`<span aria-hidden="true">${at + 1}</span>`}</span>
<div><h3>${title}${isDone ? html`<span class="visually-hidden">, done</span>` : ''}</h3><p>${sentence}</p></div>
${isDone ? html`<span class="need-age">Done</span>` : linkButton(href, { words, small: true, primary: at === next })}
</li>`,
  )}</ol>${steps.hasCurrency ? '' : CHOOSE_CURRENCY}</section>`;
}

/** Not a step: only some shops send orders without a currency. */
const CHOOSE_CURRENCY = html`<p class="after-steps">Which currency do you sell in? Some orders, such as those of SamCart, name none. <a href="/dashboard/settings/organisation#currency">Choose it in Settings, Organisation</a>.</p>`;

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
