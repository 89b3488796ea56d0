import type { ProductStatus } from '../catalogue/product.ts';
import type { Platform } from '../orders/platform.ts';

/** Orders that wait for a product. */
export interface HeldOrders {
  readonly productId: string;
  readonly productName: string;
  readonly productStatus: ProductStatus;
  /** Whether publishing alone delivers them. */
  readonly hasLiveVersion: boolean;
  readonly orders: number;
  readonly newestAt: Date;
}

/** SKUs that no product is known for. */
export interface UnmatchedNeed {
  readonly skus: number;
  readonly orders: number;
  /** Those that most orders name, at most two. */
  readonly named: readonly { readonly sku: string; readonly orders: number }[];
  readonly newestAt: Date;
}

/** Receipts that were refused for good, and whose buyers have had no other. */
export interface RefusedReceipts {
  readonly count: number;
  readonly newest: {
    readonly purchaseId: string;
    readonly customerName: string;
    readonly customerEmail: string;
    readonly productName: string;
    /** How many more products it carries. */
    readonly moreProducts: number;
    /** The mail server's own words. */
    readonly answer: string | null;
    readonly at: Date;
  };
}

/** Orders of which nothing was delivered, for another reason than their SKUs. */
export interface FailedOrders {
  readonly count: number;
  readonly newest: {
    readonly deliveryId: string;
    readonly orderId: string;
    readonly reason: string;
    readonly at: Date;
  };
}

/** When requests came in that no secret verified: of those that are kept, newest first. */
export interface Rejections {
  readonly platform: Platform;
  readonly times: readonly Date[];
}

/** How the orders of a connection come in: the latest of them, newest first. */
export interface ConnectionRhythm {
  readonly connectionId: string;
  readonly platform: Platform;
  readonly name: string;
  readonly orderTimes: readonly Date[];
}

/** The latest mail of alerts was given up. */
export interface GivenUpAlerts {
  readonly answer: string | null;
  readonly at: Date;
}

/** What is read of an organisation to tell what needs a person. Lists are short; see `Needs` for their bounds. */
export interface NeedFacts {
  readonly held: readonly HeldOrders[];
  readonly unmatched: UnmatchedNeed | null;
  readonly refused: RefusedReceipts | null;
  readonly failed: FailedOrders | null;
  readonly rejections: readonly Rejections[];
  readonly rhythms: readonly ConnectionRhythm[];
  readonly givenUpAlerts: GivenUpAlerts | null;
  readonly subscriptionExpiresAt: Date | null;
}

/** One thing that only a person can mend. */
export type Need = {
  /** How many buyers may be waiting for it. */
  readonly buyers: number;
  /** Since when, or when it last got worse. */
  readonly at: Date;
} & (
  | { readonly kind: 'held'; readonly facts: HeldOrders }
  | { readonly kind: 'unmatched'; readonly facts: UnmatchedNeed }
  | { readonly kind: 'refused'; readonly facts: RefusedReceipts }
  | { readonly kind: 'failed'; readonly facts: FailedOrders }
  | { readonly kind: 'rejecting'; readonly facts: RejectingPlatform }
  | { readonly kind: 'silent'; readonly facts: SilentConnection }
  | { readonly kind: 'alerts-given-up'; readonly facts: GivenUpAlerts }
  | { readonly kind: 'subscription-ends'; readonly facts: { readonly expiresAt: Date } }
);

/** No secret verifies what comes in, since the last order that one did. */
export interface RejectingPlatform {
  readonly platform: Platform;
  readonly rejected: number;
  readonly lastOrderAt: Date | null;
}

export interface SilentConnection extends Omit<ConnectionRhythm, 'orderTimes'> {
  readonly lastOrderAt: Date;
  /** The longest pause between the orders before, in milliseconds. */
  readonly usualPauseMs: number;
}

export interface NeedsOverview {
  /** Those that keep most buyers waiting first. */
  readonly needs: readonly Need[];
  /** Of all of them together. One buyer may wait for two things, so it is the most that it can be. */
  readonly buyers: number;
}

/** Receipts and orders are counted no further: nobody goes through more one by one. */
export const MOST_WAITING = 1000;

const DAY_MS = 24 * 60 * 60 * 1000;
const MONTH_MS = 30 * DAY_MS;
/** How long before its end a subscription is spoken of. */
const NOTICE_MS = 14 * DAY_MS;

/** What needs a person, the worst first. */
export function listNeeds(facts: NeedFacts, now: Date): NeedsOverview {
  const needs: Need[] = [
    ...facts.rejections.flatMap((rejections) => listRejecting(rejections, facts.rhythms)),
    ...facts.held.map((it): Need => ({ kind: 'held', buyers: it.orders, at: it.newestAt, facts: it })),
    ...one(facts.unmatched, (it) => ({
      kind: 'unmatched',
      buyers: it.orders,
      at: it.newestAt,
      facts: it,
    })),
    ...one(facts.refused, (it) => ({ kind: 'refused', buyers: it.count, at: it.newest.at, facts: it })),
    ...one(facts.failed, (it) => ({ kind: 'failed', buyers: it.count, at: it.newest.at, facts: it })),
    ...facts.rhythms.flatMap((rhythm) =>
      one(judgeSilence(rhythm, now), (it) => ({ kind: 'silent', buyers: 0, at: it.lastOrderAt, facts: it })),
    ),
    ...one(facts.givenUpAlerts, (it) => ({ kind: 'alerts-given-up', buyers: 0, at: it.at, facts: it })),
    ...one(endOfSubscription(facts, now), (expiresAt) => ({
      kind: 'subscription-ends',
      buyers: 0,
      at: expiresAt,
      facts: { expiresAt },
    })),
  ];
  needs.sort((a, b) => b.buyers - a.buyers || b.at.getTime() - a.at.getTime());
  return { needs, buyers: needs.reduce((sum, { buyers }) => sum + buyers, 0) };
}

function one<Fact>(fact: Fact | null, toNeed: (fact: Fact) => Need): readonly Need[] {
  return fact === null ? [] : [toNeed(fact)];
}

/** Requests that were rejected before an order was verified are of a secret that has been mended since. */
function listRejecting(
  { platform, times }: Rejections,
  rhythms: readonly ConnectionRhythm[],
): readonly Need[] {
  const verified = rhythms
    .filter((rhythm) => rhythm.platform === platform)
    .flatMap(({ orderTimes }) => orderTimes.slice(0, 1))
    .sort((a, b) => b.getTime() - a.getTime());
  const [lastOrderAt = null] = verified;
  const since = times.filter((at) => lastOrderAt === null || at > lastOrderAt);
  const [at] = since;
  if (!at) return [];
  const facts = { platform, rejected: since.length, lastOrderAt };
  return [{ kind: 'rejecting', buyers: since.length, at, facts }];
}

/** Fewer orders than this have no rhythm. */
const FEWEST_ORDERS = 5;

/**
 * A connection is silent when no order came for twice the longest pause that its orders had lately, and for a day at
 * least: shops sleep at night. After a month it is taken for given up.
 */
function judgeSilence(rhythm: ConnectionRhythm, now: Date): SilentConnection | null {
  const { orderTimes, ...connection } = rhythm;
  const [lastOrderAt] = orderTimes;
  if (!lastOrderAt || orderTimes.length < FEWEST_ORDERS) return null;
  const pauses = orderTimes.slice(1).map((at, before) => {
    const next = orderTimes[before] ?? lastOrderAt;
    return next.getTime() - at.getTime();
  });
  const usualPauseMs = Math.max(...pauses);
  const silence = now.getTime() - lastOrderAt.getTime();
  const isSilent = silence > Math.max(DAY_MS, 2 * usualPauseMs) && silence <= MONTH_MS;
  return isSilent ? { ...connection, lastOrderAt, usualPauseMs } : null;
}

function endOfSubscription({ subscriptionExpiresAt: at }: NeedFacts, now: Date): Date | null {
  return at !== null && at.getTime() - now.getTime() <= NOTICE_MS ? at : null;
}
