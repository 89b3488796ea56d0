import { type ConnectionState, type PlatformState, type Platforms, SHARED_PLATFORM } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { statusBadge } from '../parts/badge.ts';
import { relativeTime } from '../parts/time.ts';
import { countRejected } from './selected-rejected-page.ts';
import { tileOf } from './setup-steps.ts';

/** The platforms, each with how its connections are doing. */
export function platformList(
  states: readonly PlatformState[],
  current: PlatformState['platform'] | null,
  {
    now,
    serviceIsSetUp,
    platforms,
  }: { readonly now: Date; readonly serviceIsSetUp: boolean; readonly platforms: Platforms },
): Html {
  const rows = states.map((state) => {
    const { platform } = state;
    const how = check(state, serviceIsSetUp);
    return html`<li><a class="platform" href="/dashboard/settings/integrations/${platform}" ${platform === current ? html`aria-current="page"` : ''}><span class="tile" aria-hidden="true">${tileOf(platforms, platform)}</span><span class="platform-words"><span class="platform-name"><strong>${platforms.vendorOf(platform)}</strong> ${statusBadge('connection', how)}</span><span class="muted small">${news(state, how, now) ?? otherVendors(platforms.otherVendorsOf(platform))}</span></span></a></li>`;
  });
  return html`<nav aria-label="Platforms"><ul class="platforms">${rows}</ul></nav>`;
}

/** The platform to select first: the most urgent one, then one that sends orders, then the first. */
export function chooseFirst(
  states: readonly PlatformState[],
  serviceIsSetUp: boolean,
): PlatformState | undefined {
  const urgency = (state: PlatformState) => FIRST_SHOWN.indexOf(check(state, serviceIsSetUp));
  return states.toSorted((one, other) => urgency(one) - urgency(other))[0];
}

const FIRST_SHOWN: readonly ConnectionState[] = [
  'rejecting',
  'quiet',
  'working',
  'waiting',
  'unmapped',
  'not-set-up',
];

/**
 * A disconnected account may be intended, so it does not determine the platform's state while another one
 * works. A shop that has received nothing does: another one of the platform says nothing of it.
 */
const WORST_FIRST = ['rejecting', 'quiet', 'not-set-up', 'waiting', 'working', 'unmapped'] as const;

/** The shop with the most urgent state determines the platform's state. */
function check({ platform, connections, rejected }: PlatformState, serviceIsSetUp: boolean): ConnectionState {
  if (platform === SHARED_PLATFORM && !serviceIsSetUp) return 'not-set-up';
  const worst = WORST_FIRST.find((state) => connections.some((connection) => connection.state === state));
  if (worst) return worst;
  if (platform === SHARED_PLATFORM) return 'waiting';
  return rejected ? 'rejecting' : 'not-set-up';
}

/** A shop of these looks for its own name in the list. */
function otherVendors(names: readonly string[]): string | null {
  return names.length === 0 ? null : `Also ${names.join(' and ')}`;
}

function news({ connections, rejected }: PlatformState, state: ConnectionState, now: Date): Html | null {
  // They stay in view until somebody delivers or dismisses them, whatever arrives later.
  if (rejected) return html`${countRejected(rejected.kept)}`;
  if (state === 'not-set-up') return null;
  const silent = connections.filter((connection) => connection.state === 'waiting').length;
  const isSome = silent > 0 && silent < connections.length;
  const unheard = isSome ? `, ${silent} without an order yet` : '';
  const shops = connections.length > 1 ? html`${connections.length} shops${unheard} · ` : '';
  const heard = connections.flatMap(({ lastDelivery }) => (lastDelivery ? [lastDelivery.at] : []));
  const last = heard.sort((a, b) => b.getTime() - a.getTime())[0];
  const short = connections.some(({ hasShortSecret }) => hasShortSecret) ? ' · short secret' : '';
  // That no order came yet is on its badge.
  const first =
    state === 'waiting' && !shops ? 'Ready for orders' : `${shops ? 'nothing' : 'Nothing'} received yet`;
  return html`${shops}${last ? html`${shops ? 'last' : 'Last'} order ${relativeTime(last, now)}` : first}${short}`;
}
