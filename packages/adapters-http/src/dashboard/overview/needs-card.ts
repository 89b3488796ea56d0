import type { Need, TodayFigures } from '@handover/domain';
import { html } from 'ghtml';
import { linkButton } from '../parts/button.ts';
import { checkIcon } from '../parts/icons.ts';
import { counted } from '../parts/money.ts';
import { elapsedInWords, relativeTime } from '../parts/time.ts';
import { describeNeed } from './describe-need.ts';
import type { Overview } from './overview-page.ts';

/** What needs a person, the worst first; where nothing does, it says so with a fact. */
export function needsCard(overview: Overview): string {
  const { needs, buyers, now } = overview;
  if (needs.length === 0) return nothingNeedsYou(overview);
  const waiting = buyers === 0 ? '' : `, up to ${counted(buyers, 'buyer')} waiting`;
  return html`<section class="card" aria-labelledby="needs-you"><header><div><h2 id="needs-you">Needs you</h2><span class="muted">${counted(needs.length, 'thing')}${waiting}</span></div></header>
<ul class="need-list">!${needs.map((need) => needRow(need, now))}</ul></section>`;
}

function needRow(need: Need, now: Date): string {
  const { icon, tone, title, reason, href, words } = describeNeed(need, now);
  return html`<li>
<span class="tile" data-tone="${tone}">!${icon}</span>
<div><h3><bdi>${title}</bdi></h3><p>!${reason}</p></div>
<span class="need-age">!${relativeTime(need.at, now)}</span>
!${linkButton(href, { words, small: true })}
</li>`;
}

function nothingNeedsYou({ figures, hasConnections, now }: Overview): string {
  const { today } = figures;
  const facts = [
    ...(today.lastOrderAt ? [`Last one ${agoInWords(today.lastOrderAt, now)}.`] : []),
    ...(hasConnections ? ['Every connection is talking.'] : []),
  ];
  return html`<section class="card" aria-labelledby="needs-you"><header><h2 id="needs-you">Nothing needs you</h2></header>
<ul class="need-list"><li>
<span class="tile" data-tone="success">!${checkIcon}</span>
<div><h3>${allIsWell(today)}</h3><p>${facts.join(' ') || 'No order is held, and every receipt arrived.'}</p></div>
</li></ul></section>`;
}

function allIsWell({ orders, delivered, held, failed }: TodayFigures): string {
  if (orders === 0) return 'No orders yet today';
  if (delivered === orders) {
    return orders === 1
      ? 'The one order of today is delivered'
      : `All ${orders} orders of today are delivered`;
  }
  const others = held + failed > 0 ? 'The others need nothing from you.' : 'The others are on their way.';
  return `${delivered} of ${counted(orders, 'order')} of today ${delivered === 1 ? 'is' : 'are'} delivered. ${others}`;
}

function agoInWords(at: Date, now: Date): string {
  const passed = now.getTime() - at.getTime();
  const minutes = Math.floor(passed / 60_000);
  if (minutes < 1) return 'just now';
  return minutes < 60 ? `${counted(minutes, 'minute')} ago` : `${elapsedInWords(minutes * 60_000)} ago`;
}
