import type { EvaluatedConnection, PlatformState } from '../access/connection-state.ts';
import type {
  ActionItemFacts,
  FailedOrders,
  GivenUpAlerts,
  HeldOrders,
  PostponedReceipts,
  RefusedReceipts,
  UnmatchedNeed,
  UnreadableDeliveries,
} from '../model/action-items.ts';
import type { Dismissal } from '../model/dismissal.ts';
import type { Platform } from '../model/platform.ts';

/** One thing that only a person can fix. */
export type ActionItem = {
  /** How many buyers may be waiting for it. */
  readonly buyers: number;
  /** Since when, or when it last got worse. */
  readonly at: Date;
} & (
  | { readonly kind: 'held'; readonly facts: HeldOrders }
  | { readonly kind: 'unmatched'; readonly facts: UnmatchedNeed }
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

/** No secret verified them, and they are kept: neither delivered, nor too old, nor was their order accepted since. */
export interface RejectingPlatform {
  readonly platform: Platform;
  readonly rejected: number;
  /** Whether there is any secret that they could fit. */
  readonly hasSecret: boolean;
  readonly lastDeliveryAt: Date | null;
}

/** A connection that is quiet for longer than is usual: see {@link evaluateConnection}. */
export interface SilentConnection {
  readonly connectionId: string;
  readonly platform: Platform;
  readonly name: string;
  readonly lastDeliveryAt: Date;
}

/** A connection with a secret that is shorter than it has to be by now. */
export interface ShortSecretConnection {
  readonly connectionId: string;
  readonly platform: Platform;
  readonly name: string;
}

/** All that waits for somebody to do something. */
export interface ActionItemsOverview {
  /** Those that keep most buyers waiting first. */
  readonly actionItems: readonly ActionItem[];
  /** Those that somebody dismissed as they are now. */
  readonly dismissed: readonly DismissedItem[];
  /** Of all of them together. One buyer may wait for two things, so it is the most that it can be. */
  readonly buyers: number;
}

/** Something that needed somebody, and who dismissed it, when and why. */
export interface DismissedItem {
  readonly item: ActionItem;
  readonly dismissal: Dismissal;
}

/** Receipts and orders are counted no further: nobody goes through more one by one. */
export const MAX_WAITING = 1000;

const DAY_MS = 24 * 60 * 60 * 1000;
const MONTH_MS = 30 * DAY_MS;
/** How long before its end a subscription is spoken of. */
const NOTICE_MS = 14 * DAY_MS;

/** What needs a person, the worst first. What is wrong with a connection, `evaluateConnection` says. */
export function listActionItems(
  facts: ActionItemFacts,
  platforms: readonly PlatformState[],
  dismissals: readonly Dismissal[],
  now: Date,
): ActionItemsOverview {
  const all: ActionItem[] = [
    ...platforms.flatMap(listRejecting),
    ...facts.held.map(
      (opened): ActionItem => ({ kind: 'held', buyers: opened.orders, at: opened.newestAt, facts: opened }),
    ),
    ...one(facts.unmatched, (opened) => ({
      kind: 'unmatched',
      buyers: opened.orders,
      at: opened.newestAt,
      facts: opened,
    })),
    ...one(facts.refused, (opened) => ({
      kind: 'refused',
      buyers: opened.count,
      at: opened.newest.at,
      facts: opened,
    })),
    ...one(facts.postponed, (opened) => ({
      kind: 'postponed',
      buyers: opened.count,
      at: opened.at,
      facts: opened,
    })),
    ...one(facts.failed, (opened) => ({
      kind: 'failed',
      buyers: opened.count,
      at: opened.newest.at,
      facts: opened,
    })),
    ...one(facts.unreadable, (opened) => ({
      kind: 'unreadable',
      buyers: opened.count,
      at: opened.newest.at,
      facts: opened,
    })),
    ...platforms.flatMap(({ connections }) => connections.flatMap((opened) => listSilent(opened, now))),
    ...platforms.flatMap(({ connections }) => connections.flatMap(listShortSecret)),
    ...one(facts.givenUpAlerts, (opened) => ({
      kind: 'alerts-given-up',
      buyers: 0,
      at: opened.at,
      facts: opened,
    })),
    ...one(endOfSubscription(facts, now), (expiresAt) => ({
      kind: 'subscription-ends',
      buyers: 0,
      at: expiresAt,
      facts: { expiresAt },
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

/** What a dismissal names: the same thing has the same subject as long as it lasts. */
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

/** Whether it names an action item, listed or not: a single order, receipt or rejected request is dismissed on its own page. */
export function isSubjectOfActionItem(subject: string): boolean {
  const [kind = '', ...of] = subject.split(' ');
  const isOfOne = new Map<string, boolean>(Object.entries(IS_OF_ONE)).get(kind);
  return isOfOne !== undefined && of.length === (isOfOne ? 1 : 0);
}

/** Whether the subject of an item of that kind names a product, a platform or a connection, too. */
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

/** Once it got worse than it was seen to be, it is shown again. */
function isDismissed({ at, buyers }: ActionItem, { seenAt, seenCount }: Dismissal): boolean {
  return at <= seenAt && buyers <= seenCount;
}

function one<Fact>(fact: Fact | null, toNeed: (fact: Fact) => ActionItem): readonly ActionItem[] {
  return fact === null ? [] : [toNeed(fact)];
}

/** A platform that nobody set up counts too: somebody sends to it. */
function listRejecting({ platform, connections, rejected }: PlatformState): readonly ActionItem[] {
  if (!rejected) return [];
  const times = connections.flatMap(({ lastDelivery }) => (lastDelivery ? [lastDelivery.at.getTime()] : []));
  const lastDeliveryAt = times.length > 0 ? new Date(Math.max(...times)) : null;
  const { kept, lastAt } = rejected;
  const hasSecret = connections.some(({ state }) => state !== 'not-set-up');
  const facts = { platform, rejected: kept, hasSecret, lastDeliveryAt };
  return [{ kind: 'rejecting', buyers: kept, at: lastAt, facts }];
}

/** After a month a quiet connection is taken for given up. */
function listSilent(connection: EvaluatedConnection, now: Date): readonly ActionItem[] {
  const { id: connectionId, platform, name, state, lastDelivery } = connection;
  if (state !== 'quiet' || !lastDelivery || now.getTime() - lastDelivery.at.getTime() > MONTH_MS) return [];
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
