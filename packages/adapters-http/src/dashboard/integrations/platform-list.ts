import type { JudgedConnection, PlatformState } from '@handover/domain';
import { SHARED_PLATFORM } from '@handover/domain';
import { html } from 'ghtml';
import { connectionBadge } from '../parts/badge.ts';
import { counted } from '../parts/money.ts';
import { VENDORS } from '../parts/platform.ts';
import { relativeTime } from '../parts/time.ts';
import { TILES } from './setup-steps.ts';

/** The six platforms, each with how its connections are doing. */
export function platformList(
  states: readonly PlatformState[],
  current: PlatformState['platform'] | null,
  { now, serviceIsSetUp }: { readonly now: Date; readonly serviceIsSetUp: boolean },
): string {
  const rows = states.map(
    (state) =>
      html`<li><a class="platform" href="/dashboard/settings/integrations/${state.platform}" !${state.platform === current ? 'aria-current="page"' : ''}><span class="tile" aria-hidden="true">${TILES[state.platform]}</span><span class="platform-words"><strong>${VENDORS[state.platform]}</strong> <span class="muted small mono">${state.platform}</span>!${lines(state, serviceIsSetUp, now)}</span></a></li>`,
  );
  return html`<nav aria-label="Platforms"><ul class="platforms">!${rows}</ul></nav>`;
}

function lines(
  { platform, connections, rejected }: PlatformState,
  serviceIsSetUp: boolean,
  now: Date,
): string {
  if (platform === SHARED_PLATFORM && !serviceIsSetUp) {
    return html`<span class="platform-state">!${connectionBadge('not-set-up')}</span>`;
  }
  if (platform === SHARED_PLATFORM && connections.length === 0) {
    return html`<span class="platform-state">!${connectionBadge('working')}<span class="muted small">no order yet</span></span>`;
  }
  if (connections.length === 0) {
    const words = rejected ? html`<span class="muted small">!${rejections(rejected.kept)}</span>` : '';
    return html`<span class="platform-state">!${connectionBadge(rejected ? 'rejecting' : 'not-set-up')}!${words}</span>`;
  }
  return connections
    .map(
      (connection) =>
        html`<span class="platform-state">!${connectionBadge(connection.state)}<span class="muted small"><bdi>${connection.name}</bdi>: !${connection.state === 'rejecting' && rejected ? rejections(rejected.kept) : lastHeard(connection, now)}</span></span>`,
    )
    .join('');
}

function rejections(kept: number): string {
  return counted(kept, 'rejected delivery', 'rejected deliveries');
}

function lastHeard({ lastDelivery }: JudgedConnection, now: Date): string {
  return lastDelivery ? html`last order !${relativeTime(lastDelivery.at, now)}` : 'no order yet';
}
