import type { FiguresOverview, FirstSteps, NeedsOverview } from '@handover/domain';
import { html } from 'ghtml';
import type { Answer } from '../dashboard-route.ts';
import { linkButton } from '../parts/button.ts';
import { dayChart } from '../parts/chart.ts';
import { plusIcon } from '../parts/icons.ts';
import { pageHeader } from '../parts/page-header.ts';
import { figuresOfToday } from './figures-of-today.ts';
import { firstSteps } from './first-steps.ts';
import { needsCard } from './needs-card.ts';

export interface Overview extends NeedsOverview {
  /** Whether orders come in by any connection at all. */
  readonly hasConnections: boolean;
  readonly steps: FirstSteps;
  readonly figures: FiguresOverview;
  readonly now: Date;
}

/** What needs a person comes first, then today, then the last thirty days. */
export function overviewPage(overview: Overview): Answer {
  const { steps, figures, needs, now } = overview;
  const isNew = !steps.hasSold;
  const isQuiet = isNew && !steps.hasReceived;
  const main = html`!${pageHeader({
    title: 'Overview',
    meta: [
      html`<time id="as-of" datetime="${now.toISOString()}">${MOMENT.format(now).replace(' at ', ', ')} UTC</time>`,
    ],
    actions: [linkButton('/dashboard/purchases/record', { words: 'Record a sale', icon: plusIcon })],
  })}
<div class="stack">
<div class="stack" id="needs" hx-get="/dashboard/overview" hx-trigger="every 30s" hx-select="#needs" hx-select-oob="#figures,#as-of" hx-swap="outerHTML" data-calm>
!${isNew ? firstSteps(steps) : ''}!${isQuiet && needs.length === 0 ? '' : needsCard(overview)}
</div>
!${isQuiet ? '' : html`<section class="card" aria-label="Figures">!${figuresOfToday(figures.today, now)}<section>!${chart(figures)}</section></section>`}
</div>`;
  return { kind: 'page', title: 'Overview', main };
}

function chart({ days }: FiguresOverview): string {
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
