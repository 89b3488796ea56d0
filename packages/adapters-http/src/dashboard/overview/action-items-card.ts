import {
  type ActionItem,
  type DismissedItem,
  type EvaluatedConnection,
  type Platforms,
  subjectOfActionItem,
  type TodayMetrics,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import { linkButton, submitButton } from '../parts/button.ts';
import { dismissalWords } from '../parts/dismissal.ts';
import { hiddenField, postForm } from '../parts/form.ts';
import { checkIcon } from '../parts/icons.ts';
import { counted } from '../parts/money.ts';
import { formatElapsed, relativeTime } from '../parts/time.ts';
import { formatShop } from '../purchases/source-words.ts';
import { describeActionItem } from './describe-action-item.ts';
import type { Overview } from './overview-page.ts';

/** The action items, most urgent first; without any, a reassuring fact. */
export function actionItemsCard(overview: Overview): Html {
  const { actionItems, buyers } = overview;
  if (actionItems.length === 0) return nothingNeedsYou(overview);
  const waiting = buyers === 0 ? '' : `, up to ${counted(buyers, 'buyer')} waiting`;
  return html`<section class="card" aria-labelledby="needs-you"><header><div><h2 id="needs-you">Needs you</h2><span class="muted">${counted(actionItems.length, 'thing')}${waiting}</span></div>${actionItems.length > 1 && html`<a class="link" href="/dashboard/overview/dismiss">Dismiss several</a>`}</header>
<ul class="need-list">${actionItems.map((actionItem) => actionItemRow(overview, actionItem))}</ul>${unheardConnections(overview)}${dismissedItems(overview)}</section>`;
}

/** Names the connections without an order so far: nobody knows yet whether they work. */
function unheardConnections({ platforms, states }: Overview): Html | null {
  const unheard = nameUnheard(platforms, listConnections(states));
  return unheard === null ? null : html`<p class="after-steps muted">${unheard}</p>`;
}

function actionItemRow(overview: Overview, actionItem: ActionItem): Html {
  const { now } = overview;
  const { icon, tone, title, reason, href, words } = describeActionItem(overview, actionItem, now);
  const dismiss = `/dashboard/overview/dismiss?${new URLSearchParams({ subject: subjectOfActionItem(actionItem) })}`;
  return html`<li>
<span class="tile" data-tone="${tone}">${icon}</span>
<div><h3><bdi>${title}</bdi></h3><p>${reason}</p></div>
<span class="need-age">${relativeTime(actionItem.at, now)}<a class="link" href="${dismiss}">Dismiss<span class="visually-hidden"> “${title}”</span></a></span>
${linkButton(href, { words, small: true })}
</li>`;
}

function dismissedItems(overview: Overview): Html | null {
  const { dismissed } = overview;
  if (dismissed.length === 0) return null;
  return html`<details class="dismissed"><summary>${dismissed.length} dismissed</summary><ul class="need-list">${dismissed.map((one) => dismissedRow(overview, one))}</ul>${dismissed.length > 1 && html`<p class="after-steps"><a class="link" href="/dashboard/overview/dismissed">Bring back several</a></p>`}</details>`;
}

function dismissedRow(overview: Overview, { item, dismissal }: DismissedItem): Html {
  const { now, csrfToken } = overview;
  const { icon, title } = describeActionItem(overview, item, now);
  const body = html`${hiddenField('subject', dismissal.subject)}${submitButton({ words: 'Bring back', small: true })}`;
  return html`<li>
<span class="tile">${icon}</span>
<div><h3><bdi>${title}</bdi></h3><p>${dismissalWords(dismissal)}</p></div>
<span class="need-age">${relativeTime(dismissal.at, now)}</span>
${postForm({ action: '/dashboard/overview/bring-back', csrfToken, body })}
</li>`;
}

function nothingNeedsYou(overview: Overview): Html {
  const { metrics, platforms, states, now } = overview;
  const { today } = metrics;
  const facts = [
    ...(today.lastOrderAt ? [`Last one ${formatAgo(today.lastOrderAt, now)}.`] : []),
    ...describeConnections(platforms, listConnections(states)),
  ];
  return html`<section class="card" aria-labelledby="needs-you"><header><h2 id="needs-you">Nothing needs you</h2></header>
<ul class="need-list"><li>
<span class="tile" data-tone="success">${checkIcon}</span>
<div><h3>${allIsWell(today)}</h3><p>${facts.join(' ') || 'No order is held, and every receipt arrived.'}</p></div>
</li></ul>${dismissedItems(overview)}</section>`;
}

/** Says that all work only once each has received an order. */
function describeConnections(
  platforms: Platforms,
  connections: readonly EvaluatedConnection[],
): readonly string[] {
  const inUse = connections.filter(({ state }) => state !== 'not-set-up' && state !== 'unmapped');
  const unheard = nameUnheard(platforms, inUse);
  if (unheard !== null) return [unheard];
  return inUse.length > 0 && inUse.every(({ state }) => state === 'working')
    ? ['Every connection works.']
    : [];
}

function nameUnheard(platforms: Platforms, connections: readonly EvaluatedConnection[]): string | null {
  const names = connections
    .filter(({ state }) => state === 'waiting')
    .map(({ platform, name }) => formatShop(platforms, { source: platform, connectionName: name }));
  return names.length === 0 ? null : `Set up, but nothing received yet: ${names.join('; ')}.`;
}

function listConnections(states: Overview['states']): readonly EvaluatedConnection[] {
  return states.flatMap(({ connections }) => connections);
}

function allIsWell({ orders, delivered, held, failed }: TodayMetrics): string {
  if (orders === 0) return 'No orders yet today';
  if (delivered === orders) {
    return orders === 1 ? 'Today’s order is delivered' : `All ${orders} of today’s orders are delivered`;
  }
  const others = orders - delivered;
  const who =
    orders === 1 ? 'Today’s order' : delivered === 0 ? 'They' : others === 1 ? 'The other one' : 'The others';
  const rest =
    held + failed > 0
      ? `${who} ${others === 1 ? 'needs' : 'need'} nothing from you.`
      : `${who} ${others === 1 ? 'is on its' : 'are on their'} way.`;
  if (orders === 1) return rest;
  const done = delivered === 0 ? 'None' : delivered;
  return `${done} of today’s ${orders} orders ${delivered <= 1 ? 'is' : 'are'} delivered. ${rest}`;
}

function formatAgo(at: Date, now: Date): string {
  const passed = now.getTime() - at.getTime();
  const minutes = Math.floor(passed / 60_000);
  if (minutes < 1) return 'just now';
  return minutes < 60 ? `${counted(minutes, 'minute')} ago` : `${formatElapsed(minutes * 60_000)} ago`;
}
