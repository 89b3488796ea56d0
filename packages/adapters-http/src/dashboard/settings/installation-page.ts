import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { checkBadge } from '../parts/badge.ts';
import { linkButton } from '../parts/button.ts';
import { alertIcon, refreshIcon } from '../parts/icons.ts';
import { longText } from '../parts/long-text.ts';
import { noticePanel } from '../parts/notice.ts';
import { pageHeader } from '../parts/page-header.ts';
import { table } from '../parts/table.ts';
import type { CheckArea, CheckResult } from './installation-report.ts';

export function installationPage(results: readonly CheckResult[]): Answer {
  const again = linkButton('/dashboard/settings/installation', { words: 'Check again', icon: refreshIcon });
  const stripe = linkButton('/dashboard/settings/installation/payments-a', { words: 'Stripe' });
  const main = html`${pageHeader({
    title: 'Installation',
    meta: ['Checked just now', 'No mail was sent'],
    actions: [again, stripe],
  })}
<div class="stack">${notice(results)}<section class="card">${table({
    label: 'Checks of the installation',
    columns: [
      { head: 'Part', cell: ({ area }) => AREAS[area] },
      { head: 'What we found', cell: describe, narrow: 'line' },
      { head: 'Status', cell: ({ state }) => checkBadge(state), narrow: 'corner' },
    ],
    rows: results,
  })}</section>
<p class="muted small">Only you and the other operators of this service see this page. <span class="chip">handover doctor --mail-to …</span> says the same on the command line, and sends a test mail as well.</p></div>`;
  return { kind: 'page', title: 'Installation', main };
}

function notice(results: readonly CheckResult[]): Html | null {
  const count = results.filter(({ state }) => state === 'problem').length;
  if (count === 0) return null;
  return noticePanel({
    tone: 'error',
    icon: alertIcon,
    title: count === 1 ? 'One thing must be fixed' : `${count} things must be fixed`,
    sentence: 'Nothing that was received is lost. The list says what to do.',
  });
}

function describe({ finding, fix }: CheckResult): Html {
  return html`${longText(finding)}${fix === null ? '' : html`<br><span class="muted">${longText(fix)}</span>`}`;
}

const AREAS: Readonly<Record<CheckArea, string>> = {
  settings: 'Settings',
  database: 'Database',
  mail: 'Mail',
  files: 'Files',
  dns: 'DNS of the sender',
  clock: 'Clock',
  site: 'Public address',
};
