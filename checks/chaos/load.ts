import { setTimeout as pause } from 'node:timers/promises';
import { createRandom, type Random } from '../../bench/attack/random.ts';
import type { KnownPlatform } from '../../packages/domain/src/index.ts';
import {
  composeDelivery,
  MANNERS,
  type Sale,
  type Stage,
} from '../../packages/simulation/src/world/send-order.ts';
import { NO_MAILBOX } from './mail-server.ts';
import { type AnswerCounts, createAnswerTally, sendDelivery } from './send-delivery.ts';
import { type Shop, SKUS, secretOf } from './shop.ts';

/** What the service acknowledged: a sale with these SKUs, in a request that was answered 2xx. */
export interface Acknowledged {
  readonly email: string;
  readonly skus: Set<string>;
}

export interface LoadCounts extends AnswerCounts {
  readonly sales: number;
  /** How often no web server was available for a request. */
  readonly unsent: number;
}

/** Shops that sell on all platforms at a given rate until they are stopped. */
export interface Load {
  /** By the buyer's address: each sale has its own buyer. */
  readonly acknowledged: ReadonlyMap<string, Acknowledged>;
  counts(): LoadCounts;
  /** Stops new sales; resolves when the platforms have sent their remaining deliveries. */
  finish(): Promise<void>;
}

/** The factor by which pauses are shorter than a platform's own, and their maximum: hours become seconds. */
const TIMES_FASTER = 60;
const MAX_PAUSE_MS = 6_000;
/**
 * Shops pause while this many sales are still being sent: on a slow machine, retries would crowd out everything else.
 */
const MAX_OPEN_SALES = 20;
const PLATFORMS = Object.keys(MANNERS) as readonly KnownPlatform[];

interface Options {
  readonly seed: number;
  readonly shops: readonly Shop[];
  /** The web servers that a load balancer finds now. */
  readonly urls: () => readonly string[];
  readonly salesPerSecond: number;
}

export function startLoad({ seed, shops, urls, salesPerSecond }: Options): Load {
  const random = createRandom(seed);
  const acknowledged = new Map<string, Acknowledged>();
  const platforms = openPlatforms(random, urls, (sale) => acknowledge(acknowledged, sale));
  const ended = new AbortController();
  const sending = new Set<Promise<void>>();
  let sales = 0;
  const selling = sell();

  async function sell(): Promise<void> {
    while (!ended.signal.aborted) {
      await pause(500 / salesPerSecond + random.below(1_000 / salesPerSecond));
      if (sending.size >= MAX_OPEN_SALES) continue;
      sales += 1;
      const run = platforms.announce(makeSale(sales, shops, random)).finally(() => sending.delete(run));
      sending.add(run);
    }
  }

  return {
    acknowledged,
    counts: () => ({ sales, ...platforms.counts() }),
    finish: async () => {
      ended.abort();
      await selling;
      while (sending.size > 0) await Promise.all(sending);
    },
  };
}

function makeSale(number: number, shops: readonly Shop[], random: Random): Sale {
  const platform = random.pick(PLATFORMS);
  const skus = random.oneIn(3) ? [random.pick(SKUS), SKUS[0]] : [random.pick(SKUS)];
  return {
    orgId: random.pick(shops).orgId,
    platform,
    orderId: String(1_000_000 + number),
    email: `${random.oneIn(50) ? NO_MAILBOX : 'buyer-'}${number}@example.test`,
    skus: [...new Set(skus)],
  };
}

function acknowledge(acknowledged: Map<string, Acknowledged>, { email, skus }: Sale): void {
  if (email === null) return;
  const known = acknowledged.get(email) ?? { email, skus: new Set<string>() };
  for (const sku of skus) known.skus.add(sku);
  acknowledged.set(email, known);
}

/** The platforms, which send what happens to a sale. `onPaid` is called when a payment was answered 2xx. */
function openPlatforms(random: Random, urls: () => readonly string[], onPaid: (sale: Sale) => void) {
  const answers = createAnswerTally();
  let unsent = 0;

  /** Everything that the platform sends about one sale: the order, its payment, its lines, with duplicates. */
  async function announce(sale: Sale): Promise<void> {
    const manners = MANNERS[sale.platform];
    const parts = manners.sendsLinesApart ? sale.skus.map((sku) => ({ ...sale, skus: [sku] })) : [sale];
    const repeats = 1 + random.below(manners.maxRepeats);
    const all: Promise<void>[] = [];
    if (manners.announcesPlaced && random.oneIn(2)) all.push(deliver(sale, 'placed'));
    for (const part of parts) for (let copy = 0; copy < repeats; copy += 1) all.push(deliver(part, 'paid'));
    await Promise.all(all);
  }

  /** One delivery, retried as the platform would until it is answered 2xx or given up. */
  async function deliver(sale: Sale, stage: Stage): Promise<void> {
    await pause(random.below(400));
    const { retriesAfter, timeoutMs } = MANNERS[sale.platform];
    for (const wait of [0, ...retriesAfter]) {
      if (wait > 0) await pause(Math.min(wait / TIMES_FASTER, MAX_PAUSE_MS));
      if (!(await post(sale, stage, timeoutMs))) continue;
      if (stage === 'paid') onPaid(sale);
      return;
    }
  }

  /** Whether it was answered 2xx. */
  async function post(sale: Sale, stage: Stage, timeoutMs: number): Promise<boolean> {
    const found = urls();
    if (found.length === 0) {
      unsent += 1;
      return false;
    }
    const { body, headers, query } = composeDelivery(sale, stage, secretOf(sale.platform), new Date());
    const path = sale.platform === 'payments-a' ? 'payments-a' : `${sale.orgId}/${sale.platform}`;
    const url = new URL(`${random.pick(found)}/webhooks/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const answer = await sendDelivery(url, { body, headers }, timeoutMs);
    answers.add(answer);
    return answer.kind === 'acknowledged';
  }

  return { announce, counts: () => ({ unsent, ...answers.counts() }) };
}
