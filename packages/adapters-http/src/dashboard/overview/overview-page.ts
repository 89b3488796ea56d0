import type { ActionItemsOverview, FirstSteps, MetricsOverview } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { linkButton } from '../parts/button.ts';
import { dayChart } from '../parts/chart.ts';
import { plusIcon } from '../parts/icons.ts';
import { pageHeader } from '../parts/page-header.ts';
import { actionItemsCard } from './action-items-card.ts';
import { firstSteps } from './first-steps.ts';
import { metricsOfToday } from './metrics-of-today.ts';

export interface Overview extends ActionItemsOverview {
  /** Whether any connection receives orders. */
  readonly hasConnections: boolean;
  readonly steps: FirstSteps;
  readonly metrics: MetricsOverview;
  readonly now: Date;
}

/** Action items first, then today, then the last thirty days. */
export function overviewPage(overview: Overview): Answer {
  const { steps, metrics, actionItems, now } = overview;
  const isNew = !steps.hasSold;
  const isQuiet = isNew && !steps.hasReceived;
  const main = html`${pageHeader({
    title: 'Overview',
    meta: [
      html`<time id="as-of" datetime="${now.toISOString()}">${MOMENT.format(now).replace(' at ', ', ')} UTC</time>`,
    ],
    actions: [linkButton('/dashboard/purchases/record', { words: 'Record a sale', icon: plusIcon })],
  })}
<div class="stack">
<div class="stack" id="needs" hx-get="/dashboard/overview" hx-trigger="every 30s" hx-select="#needs" hx-select-oob="#figures,#as-of" hx-swap="outerHTML" data-calm>
${isNew ? firstSteps(steps) : ''}${isQuiet && actionItems.length === 0 ? '' : actionItemsCard(overview)}
</div>
${isQuiet ? '' : html`<section class="card" aria-label="Metrics">${metricsOfToday(metrics.today, now)}<section>${chart(metrics)}</section></section>`}
</div>`;
  return { kind: 'page', title: 'Overview', main };
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
    nothing: 'No orders in these days',
  });
}

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});
