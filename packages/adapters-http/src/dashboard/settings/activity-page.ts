import {
  ACTIVITY_GROUPS,
  ACTIVITY_VIAS,
  type ActivityEntry,
  type ActivityGroup,
  type ActivityKind,
  type ActivityVia,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import { boxIcon } from '../../pages/icons.ts';
import { isoDay } from '../../pages/words.ts';
import type { Answer } from '../dashboard-route.ts';
import { linkButton } from '../parts/button.ts';
import { csvLinks } from '../parts/csv-links.ts';
import { type AskedDays, daysFields } from '../parts/days.ts';
import { emptyState } from '../parts/empty-state.ts';
import { filterForm } from '../parts/filter-form.ts';
import { filterSelect } from '../parts/form.ts';
import {
  atIcon,
  barIcon,
  downloadIcon,
  historyIcon,
  keyIcon,
  linkIcon,
  lockIcon,
  mailFailedIcon,
  mailSentIcon,
  organisationIcon,
  plugIcon,
  purchaseIcon,
  refreshIcon,
  signInIcon,
  signOutIcon,
  slashIcon,
  tagIcon,
  teamIcon,
} from '../parts/icons.ts';
import { daysInTitle, listTitle } from '../parts/list-title.ts';
import { longText } from '../parts/long-text.ts';
import { newsOfList } from '../parts/news.ts';
import { problemAlert } from '../parts/notice.ts';
import { pageHeader } from '../parts/page-header.ts';
import { filterProblem } from '../parts/search-field.ts';
import { olderLink, rowLink } from '../parts/table.ts';
import { formatDay, timeOfDay } from '../parts/time.ts';
import type { ListPage } from '../take-page.ts';

/** Null: all. */
export interface AskedActivity {
  readonly via: ActivityVia | null;
  /** The address of a person. */
  readonly actor: string | null;
  readonly group: ActivityGroup | null;
  readonly days: AskedDays;
}

interface Activity extends ListPage<ActivityEntry> {
  readonly orgId: string;
  readonly asked: AskedActivity;
  /** The addresses to choose from. */
  readonly people: readonly string[];
  /** Not the newest page. */
  readonly isOlder: boolean;
  readonly now: Date;
  readonly expectsSemicolons: boolean;
}

/** Newest first, one card per day. */
export function activityPage(activity: Activity): Answer {
  const { asked, isOlder } = activity;
  const { problem } = asked.days;
  const main = html`${pageHeader({
    title: 'Activity',
    meta: ['Who did what, and how', 'Times are UTC'],
    actions: isOlder ? [linkButton(addressOf(asked, null), { words: 'Newest' })] : [],
  })}${filters(activity)}<div id="found" ${problem === null && newsOfList(activity, 'entry', 'entries')}>${problem === null ? found(activity) : problemAlert(problem)}</div>`;
  return {
    kind: 'page',
    status: problem === null ? 200 : 400,
    title: 'Activity',
    windowTitle: nameView(activity),
    main,
  };
}

function nameView({ asked: { via, actor, group, days }, isOlder, found: entries }: Activity): string {
  const filters = [group && GROUPS[group], actor, via && VIA_FILTERS[via], daysInTitle(days)];
  return listTitle('Activity', filters, { olderFrom: isOlder ? entries[0]?.at : null });
}

function found(activity: Activity): Html {
  const { asked, found: entries, isMore } = activity;
  if (entries.length === 0) return nothing(activity);
  const days = Map.groupBy(entries, ({ at }) => isoDay(at));
  return html`${[...days.values()].map((day) => dayCard(day, activity))}${isMore ? olderLink(addressOf(asked, entries.at(-1)?.id ?? null)) : ''}<p class="list-end">${csvLinks(addressOf(asked, null, `${ADDRESS}.csv`), activity)}</p>`;
}

function filters({ asked: { via, actor, group, days }, people }: Activity): Html {
  const known = actor === null || people.includes(actor) ? people : [actor, ...people];
  const what = [
    ...ACTIVITY_GROUPS.map((value) => ({ value, words: GROUPS[value] })),
    { value: 'all', words: 'Everything' },
  ];
  const by = [{ value: '', words: 'Everybody' }, ...known.map((value) => ({ value, words: value }))];
  const vias = [
    { value: '', words: 'In any way' },
    ...ACTIVITY_VIAS.map((value) => ({ value, words: VIA_FILTERS[value] })),
  ];
  const fields = html`${filterSelect('by', 'Who did it', by, actor ?? '')}${filterSelect('via', 'How it was done', vias, via ?? '')}${daysFields(days)}`;
  return filterForm({
    path: ADDRESS,
    look: html`class="filters activity-filters"`,
    fields: filterSelect('what', 'What it is about', what, group ?? 'all'),
    more: { fields, chosen: [actor, via, days.from || days.to].filter(Boolean).length },
    end: filterProblem,
    isTyped: false,
  });
}

const ADDRESS = '/dashboard/settings/activity';

function addressOf(
  { via, actor, group, days }: AskedActivity,
  before: string | null,
  page = ADDRESS,
): string {
  const query = new URLSearchParams({
    ...(group !== 'people' && { what: group ?? 'all' }),
    ...(actor && { by: actor }),
    ...(via && { via }),
    ...(days.from && { from: days.from }),
    ...(days.to && { to: days.to }),
    ...(before && { before }),
  });
  return query.size === 0 ? page : `${page}?${query}`;
}

const GROUPS: Readonly<Record<ActivityGroup, string>> = {
  people: 'All but orders',
  orders: 'Orders and downloads',
  purchases: 'Purchases',
  products: 'Products',
  settings: 'Settings and team',
  'sign-ins': 'Sign-ins',
};

const VIA_FILTERS: Readonly<Record<ActivityVia, string>> = {
  dashboard: 'At the dashboard',
  'api-key': 'With an API key',
  'command-line': 'On the command line',
  automatic: 'Automatic',
};

function dayCard(entries: readonly ActivityEntry[], { orgId, now }: Activity): Html | null {
  const [first] = entries;
  if (!first) return null;
  return html`<section class="activity-day"><h2>${formatDay(first.at, now)}</h2><div class="card"><ol>${entries.map((entry) => row(entry, orgId))}</ol></div></section>`;
}

function row(entry: ActivityEntry, orgId: string): Html {
  const { kind, subjectId, summary, at } = entry;
  const { icon, page } = LOOKS[kind];
  const address = page(subjectId, orgId);
  return html`<li><span class="tile">${icon}</span><div><div>${address ? rowLink(address, summary) : longText(summary)}</div><p>${formatOrigin(entry)}</p></div>${timeOfDay(at)}</li>`;
}

/** The actor and the channel: “jana@lumen.audio · API key hnd_…x7Qa”. */
function formatOrigin(entry: ActivityEntry): Html {
  const { actor, via, viaDetail } = entry;
  const who = isSubject(entry) ? null : (actor ?? (via === 'dashboard' ? 'Not signed in' : null));
  const ends = via === 'api-key' && viaDetail ? html` <span class="key-ends">${viaDetail}</span>` : '';
  const place = via !== 'api-key' && viaDetail ? html`, ${viaDetail}` : '';
  return html`${who === null ? '' : html`<bdi>${who}</bdi> · `}${VIAS[via]}${ends}${place}`;
}

/** Whether the sentence itself says who did it: “jana@lumen.audio signed in.” */
function isSubject({ actor, summary }: ActivityEntry): boolean {
  return actor !== undefined && (summary.startsWith(`${actor} `) || summary.includes(`(${actor}) accepted `));
}

const VIAS: Readonly<Record<ActivityVia, string>> = {
  dashboard: 'Dashboard',
  'api-key': 'API key',
  'command-line': 'Command line',
  automatic: 'Automatic',
};

interface ActivityLook {
  readonly icon: Html;
  /** The page of the subject, if it has one. An action item is of the organisation, or an entry of the log. */
  page(subjectId: string, orgId: string): string | null;
}

const nowhere = () => null;
const purchase = (id: string) => `/dashboard/purchases/${id}`;
const bulkAction = (id: string) => `/dashboard/purchases/bulk/${id}`;
const product = (id: string) => `/dashboard/products/${id}`;
const actionItem = (id: string, orgId: string) =>
  id === orgId ? '/dashboard/overview' : `/dashboard/webhook-log/${id}`;

const LOOKS: Readonly<Record<ActivityKind, ActivityLook>> = {
  'order-delivered': { icon: mailSentIcon, page: nowhere },
  'sale-recorded': { icon: purchaseIcon, page: purchase },
  'alert-given-up': { icon: mailFailedIcon, page: () => '/dashboard/settings/organisation' },
  'receipt-resent': { icon: mailSentIcon, page: purchase },
  'address-corrected': { icon: atIcon, page: purchase },
  'download-completed': { icon: downloadIcon, page: nowhere },
  'link-requested': { icon: linkIcon, page: purchase },
  'link-revoked': { icon: barIcon, page: purchase },
  'bulk-action-started': { icon: purchaseIcon, page: bulkAction },
  'bulk-action-ended': { icon: purchaseIcon, page: bulkAction },
  'bulk-action-cancelled': { icon: purchaseIcon, page: bulkAction },
  'link-restored': { icon: linkIcon, page: purchase },
  'test-order-deleted': { icon: slashIcon, page: nowhere },
  'buyer-erased': { icon: slashIcon, page: nowhere },
  'delivery-redelivered': { icon: refreshIcon, page: (id) => `/dashboard/webhook-log/${id}` },
  'address-added': { icon: atIcon, page: (id) => `/dashboard/webhook-log/${id}` },
  'action-item-dismissed': { icon: slashIcon, page: actionItem },
  'action-item-restored': { icon: refreshIcon, page: actionItem },
  'product-changed': { icon: boxIcon, page: product },
  'integration-changed': { icon: plugIcon, page: () => '/dashboard/settings/integrations' },
  'sku-mapped': { icon: tagIcon, page: nowhere },
  // Not the page of the member, who may have left.
  'team-changed': { icon: teamIcon, page: () => '/dashboard/settings/team' },
  'organisation-changed': { icon: organisationIcon, page: () => '/dashboard/settings/organisation' },
  'test-mail-sent': { icon: mailSentIcon, page: () => '/dashboard/settings/installation' },
  'api-key-refreshed': { icon: keyIcon, page: nowhere },
  'api-key-added': { icon: keyIcon, page: nowhere },
  'api-key-revoked': { icon: keyIcon, page: nowhere },
  'signed-in': { icon: signInIcon, page: nowhere },
  'signed-out': { icon: signOutIcon, page: nowhere },
  'passkey-added': { icon: keyIcon, page: nowhere },
  'passkey-removed': { icon: keyIcon, page: nowhere },
  'session-ended': { icon: signOutIcon, page: nowhere },
  'sign-in-refused': { icon: lockIcon, page: nowhere },
  'sign-in-link-issued': { icon: linkIcon, page: nowhere },
};

function nothing({ asked, isOlder }: Activity): Html {
  if (addressOf(asked, null) !== ADDRESS && !isOlder) {
    return html`<section class="card">${emptyState({
      icon: historyIcon,
      title: 'No entries of this kind',
      sentence: 'The log has none.',
      actions: [linkButton(`${ADDRESS}?what=all`, { words: 'Show everything' })],
    })}</section>`;
  }
  return html`<section class="card">${emptyState({
    icon: historyIcon,
    title: isOlder ? 'Nothing older' : 'Nothing has been done yet',
    sentence: isOlder
      ? 'The log begins after this.'
      : 'Deliveries, changes and sign-ins appear here: when, by whom and how.',
    actions: isOlder ? [] : [linkButton('/dashboard/products', { words: 'See the products' })],
  })}</section>`;
}
