import type { EvaluatedConnection, PlatformState } from '../access/connection-state.ts';
import type {
  ActionItemFacts,
  FailedOrders,
  GivenUpAlerts,
  HeldOrders,
  PostponedReceipts,
  RefusedReceipts,
  UnmatchedSkus,
  UnreadableDeliveries,
} from '../model/action-items.ts';
import type { Dismissal } from '../model/dismissal.ts';
import type { Platform } from '../model/platform.ts';

/** A problem that only a person can fix. */
export type ActionItem = {
  /** How many buyers may be waiting because of it. */
  readonly buyers: number;
  /** When it began, or last got worse. */
  readonly at: Date;
} & (
  | { readonly kind: 'held'; readonly facts: HeldOrders }
  | { readonly kind: 'unmatched'; readonly facts: UnmatchedSkus }
  | { readonly kind: 'refused'; readonly facts: RefusedReceipts }
  | { readonly kind: 'postponed'; readonly facts: PostponedReceipts }
  | { readonly kind: 'failed'; readonly facts: FailedOrders }
  | { readonly kind: 'unreadable'; readonly facts: UnreadableDeliveries }
  | { readonly kind: 'rejecting'; readonly facts: RejectingPlatform }
  | { readonly kind: 'silent'; readonly facts: SilentConnection }
  | { readonly kind: 'short-secret'; readonly facts: ShortSecretConnection }
  | { readonly kind: 'alerts-given-up'; readonly facts: GivenUpAlerts }
  | { readonly kind: 'subscription-ends'; readonly facts: { readonly expiresAt: Date } }
);

/** A platform with rejected requests that are kept: see `RejectionSummary.kept`. */
export interface RejectingPlatform {
  readonly platform: Platform;
  readonly rejected: number;
  /** Whether a connection of the platform has a secret. */
  readonly hasSecret: boolean;
  readonly lastDeliveryAt: Date | null;
}

/** A connection that has received nothing for longer than usual: see `evaluateConnection`. */
export interface SilentConnection {
  readonly connectionId: string;
  readonly platform: Platform;
  readonly name: string;
  readonly lastDeliveryAt: Date;
}

/** A connection with a secret that is shorter than `minSecretLength`. */
export interface ShortSecretConnection {
  readonly connectionId: string;
  readonly platform: Platform;
  readonly name: string;
}

/** The action items of an organisation. */
export interface ActionItemsOverview {
  /** Sorted by waiting buyers, most first. */
  readonly actionItems: readonly ActionItem[];
  /** Those that somebody dismissed and that did not get worse since. */
  readonly dismissed: readonly DismissedItem[];
  /** The sum of the buyers of `actionItems`: an upper limit, because one buyer may wait because of two items. */
  readonly buyers: number;
}

/** A dismissed action item, and its dismissal. */
export interface DismissedItem {
  readonly item: ActionItem;
  readonly dismissal: Dismissal;
}

/** Receipts and orders of an item are counted up to this number. */
export const MAX_WAITING = 1000;

const DAY_MS = 24 * 60 * 60 * 1000;
/** A connection that has been quiet for longer counts as abandoned. */
const MAX_SILENCE_MS = 30 * DAY_MS;
/** How long before its end an expiring subscription is listed. */
const NOTICE_MS = 14 * DAY_MS;

/** Lists what needs a person, and what was dismissed. `platforms` has the states of the connections: see `readConnectionStates`. */
export function listActionItems(
  facts: ActionItemFacts,
  platforms: readonly PlatformState[],
  dismissals: readonly Dismissal[],
  now: Date,
): ActionItemsOverview {
  const { unmatched, refused, postponed, failed, unreadable, givenUpAlerts } = facts;
  const all: ActionItem[] = [
    ...platforms.flatMap(listRejecting),
    ...facts.held.map(
      (held): ActionItem => ({ kind: 'held', buyers: held.orders, at: held.newestAt, facts: held }),
    ),
    ...listOne(unmatched, (facts) => ({
      kind: 'unmatched',
      buyers: facts.orders,
      at: facts.newestAt,
      facts,
    })),
    ...listOne(refused, (facts) => ({ kind: 'refused', buyers: facts.count, at: facts.newest.at, facts })),
    ...listOne(postponed, (facts) => ({ kind: 'postponed', buyers: facts.count, at: facts.at, facts })),
    ...listOne(failed, (facts) => ({ kind: 'failed', buyers: facts.count, at: facts.newest.at, facts })),
    ...listOne(unreadable, (facts) => ({
      kind: 'unreadable',
      buyers: facts.count,
      at: facts.newest.at,
      facts,
    })),
    ...platforms.flatMap(({ connections }) => connections.flatMap((one) => listSilent(one, now))),
    ...platforms.flatMap(({ connections }) => connections.flatMap(listShortSecret)),
    ...listOne(givenUpAlerts, (facts) => ({ kind: 'alerts-given-up', buyers: 0, at: facts.at, facts })),
    ...listOne(endOfSubscription(facts, now), (at) => ({
      kind: 'subscription-ends',
      buyers: 0,
      at,
      facts: { expiresAt: at },
    })),
  ];
  all.sort((a, b) => b.buyers - a.buyers || b.at.getTime() - a.at.getTime());
  const bySubject = new Map(dismissals.map((dismissal) => [dismissal.subject, dismissal]));
  const dismissed = all.flatMap((item) => {
    const dismissal = bySubject.get(subjectOfActionItem(item));
    return dismissal && isDismissed(item, dismissal) ? [{ item, dismissal }] : [];
  });
  const hidden = new Set(dismissed.map(({ item }) => item));
  const actionItems = all.filter((item) => !hidden.has(item));
  return { actionItems, dismissed, buyers: actionItems.reduce((sum, { buyers }) => sum + buyers, 0) };
}

/** The subject of an action item for its dismissal. It stays the same as long as the problem exists. */
export function subjectOfActionItem(item: ActionItem): string {
  switch (item.kind) {
    case 'held':
      return `held ${item.facts.productId}`;
    case 'rejecting':
      return `rejecting ${item.facts.platform}`;
    case 'silent':
    case 'short-secret':
      return `${item.kind} ${item.facts.connectionId}`;
    default:
      return item.kind;
  }
}

/** Whether a subject is that of an action item. Single orders, receipts and rejected requests are dismissed on their own pages. */
export function isSubjectOfActionItem(subject: string): boolean {
  const [kind = '', ...of] = subject.split(' ');
  const isOfOne = new Map<string, boolean>(Object.entries(IS_OF_ONE)).get(kind);
  return isOfOne !== undefined && of.length === (isOfOne ? 1 : 0);
}

/** Whether the subject of an item of that kind also names a product, a platform or a connection. */
const IS_OF_ONE: Readonly<Record<ActionItem['kind'], boolean>> = {
  held: true,
  unmatched: false,
  refused: false,
  postponed: false,
  failed: false,
  unreadable: false,
  rejecting: true,
  silent: true,
  'short-secret': true,
  'alerts-given-up': false,
  'subscription-ends': false,
};

/** An item that got worse since its dismissal is shown again. */
function isDismissed({ at, buyers }: ActionItem, { seenAt, seenCount }: Dismissal): boolean {
  return at <= seenAt && buyers <= seenCount;
}

function listOne<Fact>(fact: Fact | null, toItem: (fact: Fact) => ActionItem): readonly ActionItem[] {
  return fact === null ? [] : [toItem(fact)];
}

/** Also for a platform without a connection: somebody sends requests to it. */
function listRejecting({ platform, connections, rejected }: PlatformState): readonly ActionItem[] {
  if (!rejected) return [];
  const times = connections.flatMap(({ lastDelivery }) => (lastDelivery ? [lastDelivery.at.getTime()] : []));
  const lastDeliveryAt = times.length > 0 ? new Date(Math.max(...times)) : null;
  const { kept, lastAt } = rejected;
  const hasSecret = connections.some(({ state }) => state !== 'not-set-up');
  const facts = { platform, rejected: kept, hasSecret, lastDeliveryAt };
  return [{ kind: 'rejecting', buyers: kept, at: lastAt, facts }];
}

function listSilent(connection: EvaluatedConnection, now: Date): readonly ActionItem[] {
  const { id: connectionId, platform, name, state, lastDelivery } = connection;
  if (state !== 'quiet' || !lastDelivery) return [];
  if (now.getTime() - lastDelivery.at.getTime() > MAX_SILENCE_MS) return [];
  const facts = { connectionId, platform, name, lastDeliveryAt: lastDelivery.at };
  return [{ kind: 'silent', buyers: 0, at: lastDelivery.at, facts }];
}

function listShortSecret({
  id: connectionId,
  platform,
  name,
  hasShortSecret,
  secretSetAt,
}: EvaluatedConnection): readonly ActionItem[] {
  if (!hasShortSecret || secretSetAt === null) return [];
  return [{ kind: 'short-secret', buyers: 0, at: secretSetAt, facts: { connectionId, platform, name } }];
}

function endOfSubscription({ subscriptionExpiresAt: at }: ActionItemFacts, now: Date): Date | null {
  return at !== null && at.getTime() - now.getTime() <= NOTICE_MS ? at : null;
}
