import type { ActivityEntry, ActivityKind } from '@handover/domain';
import { html } from 'ghtml';
import { boxIcon } from '../../pages/icons.ts';
import type { Answer } from '../dashboard-route.ts';
import { linkButton } from '../parts/button.ts';
import { emptyState } from '../parts/empty-state.ts';
import {
  atIcon,
  barIcon,
  downloadIcon,
  historyIcon,
  keyIcon,
  linkIcon,
  mailFailedIcon,
  mailSentIcon,
  organisationIcon,
  plugIcon,
  purchaseIcon,
  refreshIcon,
  tagIcon,
  teamIcon,
} from '../parts/icons.ts';
import { pageHeader } from '../parts/page-header.ts';
import { olderLink, rowLink } from '../parts/table.ts';
import { dayInWords, timeOfDay } from '../parts/time.ts';

interface Activity {
  readonly entries: readonly ActivityEntry[];
  readonly isMore: boolean;
  /** Not the newest page. */
  readonly isOlder: boolean;
  readonly now: Date;
}

/** Newest first, a card for each day. */
export function activityPage({ entries, isMore, isOlder, now }: Activity): Answer {
  const last = entries.at(-1);
  const main = html`!${pageHeader({
    title: 'Activity',
    meta: ['What people did here, and what was delivered', 'Times are UTC'],
    actions: isOlder ? [linkButton('/dashboard/settings/activity', { words: 'Newest' })] : [],
  })}!${entries.length === 0 ? nothing(isOlder) : daysOf(entries).map((day) => dayCard(day, now))}!${isMore && last ? olderLink(`/dashboard/settings/activity?before=${last.id}`) : ''}`;
  return { kind: 'page', title: 'Activity', main };
}

/** Entries that follow one another on one UTC day. */
function daysOf(entries: readonly ActivityEntry[]): readonly (readonly ActivityEntry[])[] {
  const days = new Map<string, ActivityEntry[]>();
  for (const entry of entries) {
    const day = entry.at.toISOString().slice(0, 10);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days.values()];
}

function dayCard(entries: readonly ActivityEntry[], now: Date): string {
  const [first] = entries;
  if (!first) return '';
  return html`<section class="activity-day"><h2>${dayInWords(first.at, now)}</h2><div class="card"><ol>!${entries.map(row)}</ol></div></section>`;
}

function row({ kind, subjectId, summary, actor, at }: ActivityEntry): string {
  const { icon, page } = LOOKS[kind];
  const address = page(subjectId);
  return html`<li><span class="tile">!${icon}</span><div><div>!${address ? rowLink(address, summary) : html`<bdi>${summary}</bdi>`}</div><p>!${actor ? html`<bdi>${actor}</bdi>` : 'Handover, by itself'}</p></div>!${timeOfDay(at)}</li>`;
}

interface ActivityLook {
  readonly icon: string;
  /** The page of what it was done to, if that has one. */
  page(subjectId: string): string | null;
}

const nowhere = () => null;
const purchase = (id: string) => `/dashboard/purchases/${id}`;
const product = (id: string) => `/dashboard/products/${id}`;

const LOOKS: Readonly<Record<ActivityKind, ActivityLook>> = {
  'order-delivered': { icon: mailSentIcon, page: nowhere },
  'sale-recorded': { icon: purchaseIcon, page: purchase },
  'alert-given-up': { icon: mailFailedIcon, page: () => '/dashboard/settings/organisation' },
  'receipt-resent': { icon: mailSentIcon, page: purchase },
  'address-corrected': { icon: atIcon, page: purchase },
  'download-completed': { icon: downloadIcon, page: nowhere },
  'link-requested': { icon: linkIcon, page: purchase },
  'link-revoked': { icon: barIcon, page: purchase },
  'link-restored': { icon: linkIcon, page: purchase },
  'delivery-redelivered': { icon: refreshIcon, page: (id) => `/dashboard/webhook-log/${id}` },
  'product-changed': { icon: boxIcon, page: product },
  'integration-changed': { icon: plugIcon, page: () => '/dashboard/settings/integrations' },
  'sku-mapped': { icon: tagIcon, page: nowhere },
  // Not the page of one person, who may have left.
  'team-changed': { icon: teamIcon, page: () => '/dashboard/settings/team' },
  'organisation-changed': { icon: organisationIcon, page: () => '/dashboard/settings/organisation' },
  'api-key-refreshed': { icon: keyIcon, page: nowhere },
};

function nothing(isOlder: boolean): string {
  return html`<section class="card">!${emptyState({
    icon: historyIcon,
    title: isOlder ? 'Nothing older' : 'Nothing has been done yet',
    sentence: isOlder
      ? 'The log begins after this.'
      : 'Orders that were delivered, and whatever somebody of your team changes, are kept here with the time and who did it.',
    actions: isOlder ? [] : [linkButton('/dashboard/products', { words: 'See the products' })],
  })}</section>`;
}
