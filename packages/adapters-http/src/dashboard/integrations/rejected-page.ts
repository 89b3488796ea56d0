import {
  type Dismissal,
  type Platforms,
  type RejectedDelivery,
  subjectOfRejected,
  type TranslatedOrder,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { linkButton } from '../parts/button.ts';
import { dismissalWords } from '../parts/dismissal.ts';
import { emptyState } from '../parts/empty-state.ts';
import { keyIcon } from '../parts/icons.ts';
import { longText } from '../parts/long-text.ts';
import { counted } from '../parts/money.ts';
import { noticePanel } from '../parts/notice.ts';
import { pageHeader } from '../parts/page-header.ts';
import { selectBar } from '../parts/select-bar.ts';
import { type Column, pickRow, table } from '../parts/table.ts';
import { exactTime } from '../parts/time.ts';
import { REJECTED_VERBS, type RejectedAction } from './selected-rejected-page.ts';

export interface RejectedRow {
  readonly rejected: RejectedDelivery;
  /** Read from the request, which nobody verified. */
  readonly order: TranslatedOrder | null;
}

const TITLE = 'Rejected deliveries';

/** The stored rejected requests: whose they seem to be, when they were received, our answer; and the dismissed ones. */
export function rejectedPage({
  platforms,
  platform,
  kept,
  genuine,
  dismissed,
  dismissals,
}: {
  readonly platforms: Platforms;
  readonly platform: RejectedDelivery['platform'];
  readonly kept: readonly RejectedRow[];
  /** The ids of those that a secret verifies by now. */
  readonly genuine: readonly string[];
  readonly dismissed: readonly RejectedRow[];
  /** Those of the dismissed ones. */
  readonly dismissals: readonly Dismissal[];
}): Answer {
  const vendor = platforms.vendorOf(platform);
  const back = { href: `/dashboard/settings/integrations/${platform}`, words: vendor };
  const path = `${back.href}/rejected/selected`;
  const none = emptyState({
    icon: keyIcon,
    title: dismissed.length > 0 ? 'No rejected delivery needs you' : 'Nothing was rejected',
    sentence:
      dismissed.length > 0 ? 'All of the last 7 days are dismissed.' : 'No delivery in the last 7 days.',
  });
  const answer: Column<RejectedRow> = {
    head: 'Our answer',
    narrow: 'line',
    cell: ({ rejected }) => html`<span class="muted">${rejected.reason}</span>`,
  };
  const bySubject = new Map(dismissals.map((dismissal) => [dismissal.subject, dismissal]));
  const reason: Column<RejectedRow> = {
    head: 'Dismissed',
    narrow: 'line',
    cell: ({ rejected }) => {
      const dismissal = bySubject.get(subjectOfRejected(rejected.id));
      return dismissal && dismissalWords(dismissal);
    },
  };
  const needed = html`<section class="card">${selectForm(path, TITLE, kept, answer, ['deliver', 'dismiss'])}</section>`;
  const others = html`<section class="card" aria-labelledby="dismissed"><header><h2 id="dismissed">Dismissed</h2></header>${selectForm(path, 'Dismissed deliveries', dismissed, reason, ['bring-back'])}</section>`;
  const main = html`${pageHeader({ title: TITLE, back, meta: ['Order and address are as sent: nobody verified them'] })}<div class="stack">${kept.length > 0 && whatToDo(vendor, back.href, genuine)}${kept.length > 0 ? needed : html`<section class="card">${none}</section>`}${dismissed.length > 0 && others}</div>`;
  return { kind: 'page', title: TITLE, windowTitle: `${TITLE} of ${vendor}`, main };
}

/** Those that a secret verifies by now need only a press; for the others, a secret is missing. */
function whatToDo(vendor: string, integration: string, genuine: readonly string[]): Html {
  if (genuine.length > 0) {
    const named = new URLSearchParams(genuine.map((id): [string, string] => ['id', id]));
    named.set('action', 'deliver');
    return noticePanel({
      tone: 'pending',
      icon: keyIcon,
      title: counted(genuine.length, 'delivery now verifies', 'deliveries now verify'),
      sentence: `${genuine.length === 1 ? 'It fits' : 'They fit'} a secret that is set here. ${vendor} may not send again: deliver what is kept here. Dismiss the others. All of them are deleted after 7 days.`,
      actions: [
        linkButton(`${integration}/rejected/selected?${named}`, {
          words: `Deliver ${genuine.length === 1 ? 'it' : 'them'}`,
          primary: true,
        }),
      ],
    });
  }
  return noticePanel({
    tone: 'error',
    icon: keyIcon,
    title: 'Their signatures matched no secret set here',
    sentence: `Set the secret that ${vendor} signs with, then deliver those that are genuine. Dismiss the others. All of them are deleted after 7 days.`,
    actions: [linkButton(integration, { words: 'Check the secret', primary: true })],
  });
}

/** A list whose rows can be selected. Its form only leads on to the page that asks. */
function selectForm(
  path: string,
  label: string,
  rows: readonly RejectedRow[],
  why: Column<RejectedRow>,
  actions: readonly RejectedAction[],
): Html {
  const selectAll = `Select all of “${label}”`;
  const bar = selectBar({ things: 'deliveries', selectAll, actions, verbs: REJECTED_VERBS });
  return html`<form method="get" action="${path}" data-select>${bar}${table<RejectedRow>({
    label,
    rows,
    columns: [
      {
        head: 'Order',
        brief: nameOf,
        cell: (row) => {
          const words = nameOf(row);
          return pickRow(row.rejected.id, words, html`<strong>${longText(words)}</strong>`);
        },
      },
      {
        head: 'Address',
        narrow: 'line',
        cell: ({ order }) => longText(order?.customer.email ?? 'No address'),
      },
      why,
      { head: 'Received', cell: ({ rejected }) => exactTime(rejected.receivedAt) },
      {
        head: 'Bytes',
        narrow: 'hidden',
        number: true,
        cell: ({ rejected }) => html`${rejected.bytes.length}`,
      },
    ],
  })}</form>`;
}

function nameOf({ order }: RejectedRow): string {
  return order?.orderNumber ?? 'No order found';
}
