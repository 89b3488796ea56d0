import { createHash } from 'node:crypto';
import { causeOfError, type LogEntry } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { isoDay } from '../../pages/words.ts';
import { statusBadge, statusMark, testBadge } from '../parts/badge.ts';
import { linkButton } from '../parts/button.ts';
import { emptyState } from '../parts/empty-state.ts';
import { hiddenFields } from '../parts/form.ts';
import { noMatchIcon, webhookIcon } from '../parts/icons.ts';
import { olderLink } from '../parts/table.ts';
import { formatDay, formatDayOfYear, longDay } from '../parts/time.ts';
import { formatEntry, nameOfEntry } from './format-entry.ts';
import {
  addressOf,
  CAUSES,
  deliverAddressOf,
  EVERYTHING,
  type FoundLog,
  fieldsOf,
  isLive,
} from './log-view.ts';

/** The newest entry when a screen reader was last told of new ones, and when that was; null: not since the page was loaded. */
export interface LastNews {
  readonly newest: string;
  readonly at: Date | null;
}

/** The entries by day, and the state for the next poll. Entries newer than `newest` are marked as new. */
export function logList(found: FoundLog, newest: string | null = null, told: LastNews | null = null): Html {
  return html`${logState(found, told)}${entries(found, newest)}`;
}

/**
 * A search or an entry that is opened gives up whatever was asked before, a poll too: its answer would come later, and bring
 * back what was shown then. A poll waits for them.
 */
export const LAST_WINS = html`hx-sync="#log:replace"`;

/** Identifies a state of the list. */
export function fingerprintOf(found: FoundLog): string {
  const shown = [entries(found, null), JSON.stringify(found.counts)].join();
  return createHash('sha256').update(shown).digest('hex').slice(0, 16);
}

/** The values that each poll sends: the view, the fingerprint of the shown list, what was told of it, and the open entry. */
function logState(found: FoundLog, told: LastNews | null): Html {
  const newest = found.entries[0]?.id ?? '';
  const fields: readonly (readonly [string, string])[] = [
    ...fieldsOf(found.view),
    ['seen', fingerprintOf(found)],
    ['newest', newest],
    ['told', told?.newest ?? newest],
    ['told-at', told?.at?.toISOString() ?? ''],
    ['open', found.openId ?? ''],
  ];
  return html`<form id="log-state" hidden>${hiddenFields(fields)}</form>`;
}

function entries(found: FoundLog, newest: string | null): Html {
  if (found.entries.length === 0) return nothing(found);
  const days = Map.groupBy(found.entries, ({ receivedAt }) => isoDay(receivedAt));
  const lists = [...days].map(([day, ofDay], at) => {
    const id = `day-${day}`;
    return html`<section aria-labelledby="${id}"><h2 class="log-date" id="${id}"><span>${headDay(day, found.now)}</span>${at === 0 ? html`<span>UTC</span>` : ''}</h2><ol class="log-rows">${ofDay.map((entry) => row(entry, found, newest))}</ol></section>`;
  });
  const last = found.entries.at(-1)?.id ?? null;
  const older = found.isMore ? olderLink(addressOf({ ...found.view, before: last })) : '';
  return html`${deliverSeveral(found)}${lists}${older}`;
}

/** Where something can be delivered again; and errors, narrowed to what a person can do about them. */
function deliverSeveral({ view }: FoundLog): Html | null {
  if (view.status !== 'error' && view.status !== 'held') return null;
  const all = { ...view, before: null };
  const causes = view.status === 'error' ? CAUSES : [];
  return html`<p class="log-several">${causes.map(({ value, words }) => {
    const isChosen = view.cause === value;
    return html`<a class="link" href="${addressOf({ ...all, cause: isChosen ? null : value })}" ${isChosen && html`aria-current="true"`}>${words}</a>`;
  })}<a class="link" href="${deliverAddressOf(all)}">Deliver several again</a></p>`;
}

/** With a script, the entry opens beside the list, which keeps its scroll position. */
function row(entry: LogEntry, { view, openId, platforms }: FoundLog, newest: string | null): Html {
  const address = addressOf(view, entry.id);
  const { sku, words } = formatEntry(entry);
  const marks = html`${entry.id === openId ? html`aria-current="true"` : ''} ${newest !== null && entry.id > newest ? 'data-new' : ''}`;
  const time = entry.receivedAt.toISOString();
  return html`<li id="row-${entry.id}" class="log-row" ${marks}>${statusMark('delivery', entry.status)}<a class="row-link" href="${address}" aria-describedby="why-${entry.id}" ${entry.id === openId ? html`aria-current="true"` : ''} hx-get="${address}" ${LAST_WINS} hx-target="#log" hx-select="#log" hx-swap="outerMorph" hx-push-url="true"><bdi>${nameOfEntry(entry)}</bdi></a><span class="log-side">${testBadge(entry)}${entry.isDismissed ? html`<span class="muted small">Dismissed</span>` : ''}${entry.hasUnmatched ? statusBadge('delivery', 'unmatched') : ''}<time datetime="${time}">${time.slice(11, 16)}</time></span>
<p id="why-${entry.id}">${platforms.vendorOf(entry.platform)} ${sku === null ? '· ' : html`<span class="chip">${sku}</span> `}<span>${words}</span></p>${addAddress(entry)}</li>`;
}

function addAddress(entry: LogEntry): Html | null {
  if (causeOfError(entry) !== 'no-address') return null;
  return html`<a class="link row-action" href="/dashboard/webhook-log/${entry.id}/address">Add address<span class="visually-hidden"> to ${nameOfEntry(entry)}</span></a>`;
}

function nothing({ view, sources }: FoundLog): Html {
  if (addressOf(view) === addressOf(EVERYTHING)) {
    return emptyState({
      icon: webhookIcon,
      title: 'No deliveries yet',
      sentence: 'Orders show up here the second a shop sends them. Connect one, or try it with a test order.',
      actions: [linkButton('/dashboard/settings/integrations', { words: 'Connect a shop', primary: true })],
    });
  }
  const text = view.text.trim();
  const source = sources.find(({ connectionId }) => connectionId === view.connectionId);
  const where = source ? ` of “${source.name}”` : '';
  return emptyState({
    icon: noMatchIcon,
    title: text === '' ? 'No entries here' : `Nothing for “${text}”`,
    sentence:
      text === ''
        ? `The log${where} has no ${view.status ?? ''} entries${view.before === null ? '' : ' older than these'}.`
        : `We looked at how order numbers, order ids, SKUs and e-mail addresses of all ${view.status ?? ''} entries${where} begin. Of ignored entries, such as refunds, only the order is kept.`,
    actions: [linkButton(addressOf(EVERYTHING), { words: text === '' ? 'Show all' : 'Clear search' })],
  });
}

/** Without the year, if it is this one. */
function headDay(day: string, now: Date): string {
  const at = new Date(day);
  const words = formatDay(at, now);
  return words === longDay(at) && at.getUTCFullYear() === now.getUTCFullYear() ? formatDayOfYear(at) : words;
}

/** Polls for new entries. */
export function pollOf({ view }: FoundLog): Html | null {
  if (!isLive(view)) return null;
  return html`hx-get="/dashboard/webhook-log/live" hx-trigger="every 2s" hx-sync="#log:drop" hx-include="#log-state" hx-swap="innerMorph" data-polls`;
}
