import { readFileSync } from 'node:fs';
import type { Backlog } from '@handover/adapters-postgres';
import { fulfilOrder, recordDeliveries, recordUnassigned } from '@handover/domain';
import { createInMemoryStores } from '@handover/domain/memory';
import {
  createCountingIds,
  createFakeApiKeys,
  createManualClock,
  makeOrder,
  openShop,
} from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import { classifyAnswer, createMetrics } from '../src/telemetry/metrics.ts';
import { createMetricsRefresh } from '../src/telemetry/read-metrics.ts';
import { countDecision, countMail, observeStores } from '../src/telemetry/telemetry.ts';

const NOW = new Date('2026-11-23T08:00:00Z');
const EMPTY: Backlog = { oldestUndecided: null, oldestPendingEmail: null, jobs: [] };

function open() {
  const metrics = createMetrics({ role: 'all', version: '1', platforms: ['storefront-a', 'cart-a'] });
  const find = async (series: string) => {
    const lines = (await metrics.registry.metrics()).split('\n');
    const [, value] = lines.find((line) => line.startsWith(`${series} `))?.split(/ (?=\S+$)/) ?? [];
    return value === undefined ? null : Number(value);
  };
  return { metrics, find };
}

async function openObserved() {
  const { metrics, find } = open();
  const ports = { clock: createManualClock(), ids: createCountingIds(), apiKeys: createFakeApiKeys() };
  const stores = observeStores(createInMemoryStores(), metrics);
  const shop = await openShop({ ...ports, stores });
  const opened = { ...ports, ...stores, stores, shop, metrics, find };
  return {
    ...opened,
    observeDecision: (decision: Parameters<typeof countDecision>[1]) => countDecision(metrics, decision),
  };
}

describe('the metrics', () => {
  it('follow the conventions of Prometheus, and say what they count', async () => {
    const { metrics } = open();
    for (const { name, help, type } of await metrics.registry.getMetricsAsJSON()) {
      expect(help, name).not.toBe('');
      if (!name.startsWith('handover_')) continue;
      expect(name).toMatch(/^handover_[a-z_]+$/);
      expect(String(type) === 'counter', name).toBe(name.endsWith('_total'));
    }
  });

  it('carry the role of their process on every series', async () => {
    const { metrics } = open();
    metrics.observeWebhook('storefront-a', 'recorded');
    const series = (await metrics.registry.metrics()).split('\n').filter((line) => /^[a-z]/.test(line));
    expect(series.filter((line) => !line.includes('role="all"'))).toEqual([]);
  });

  it('begin at 0 where an alert reads their increase, which has no value for the first sample of a series', async () => {
    const { find } = open();
    const alerts = readFileSync(new URL('../../../deploy/prometheus/alerts.yml', import.meta.url), 'utf8');
    const increasing = [...alerts.matchAll(/(?:increase|rate)\((handover_[a-z_]+)/g)].map(([, name]) => name);
    expect(new Set(increasing)).toEqual(
      new Set([
        'handover_webhook_requests_total',
        'handover_mail_answers_total',
        'handover_receipt_delay_seconds_bucket',
        'handover_deliveries_total',
        'handover_refused_signatures_total',
      ]),
    );
    for (const series of [
      ...['not-recorded', 'overloaded'].map(
        (outcome) => `handover_webhook_requests_total{platform="cart-a",outcome="${outcome}",role="all"}`,
      ),
      'handover_deliveries_total{platform="storefront-a",outcome="error",role="all"}',
      'handover_refused_signatures_total{platform="storefront-a",role="all"}',
      ...['2xx', '4xx', '5xx', 'connection'].map(
        (type) => `handover_mail_answers_total{class="${type}",role="all"}`,
      ),
      'handover_receipt_delay_seconds_bucket{le="0.1",role="all"}',
    ]) {
      expect(await find(series), series).toBe(0);
    }
  });

  it('count a decided delivery once, by platform and outcome', async () => {
    const opened = await openObserved();
    const { shop, find, clock } = opened;
    const order = makeOrder(shop);
    const source = { orgId: shop.orgId, platform: order.platform, connectionId: order.connectionId };
    const content = {
      kind: 'translated',
      entries: [
        { kind: 'order', order },
        { kind: 'ignored', orderId: '7', reason: 'A refund.' },
      ],
    } as const;
    const received = { ...source, receivedAt: clock.now(), bytes: new Uint8Array(), headers: {}, content };
    const recorded = await recordDeliveries(opened, received, 'in-request');
    const id = recorded.kind === 'recorded' ? (recorded.deliveries[0]?.id ?? '') : '';
    expect(
      await find('handover_deliveries_total{platform="storefront-a",outcome="pending",role="all"}'),
    ).toBe(0);
    await fulfilOrder(opened, order, { id, attempts: 0 });
    expect(
      await find('handover_deliveries_total{platform="storefront-a",outcome="pending",role="all"}'),
    ).toBe(1);
    expect(
      await find('handover_deliveries_total{platform="storefront-a",outcome="ignored",role="all"}'),
    ).toBe(1);
  });

  it('count an order of payments-a that belongs to nobody yet', async () => {
    const opened = await openObserved();
    const { shop, find, clock } = opened;
    const { platform: _platform, connectionId: _connection, orgId: _org, ...order } = makeOrder(shop);
    await recordUnassigned(opened, {
      tenantRef: { kind: 'account', account: 'acct_1' },
      reason: 'The account is not mapped.',
      receivedAt: clock.now(),
      body: { bytes: new Uint8Array(), headers: {} },
      entries: [{ kind: 'order', order }],
    });
    expect(
      await find('handover_deliveries_total{platform="payments-a",outcome="unassigned",role="all"}'),
    ).toBe(1);
  });

  it('measure the time from a delivery to its accepted receipt, and not that of a refused one', async () => {
    const { metrics, find } = open();
    const delivery = { id: 'd', receivedAt: new Date(NOW.getTime() - 1500) };
    const mail = {
      job: { kind: 'send-email', orgId: 'o', emailId: 'e' },
      emailKind: 'receipt',
      isGivenUp: false,
      end: 'completed',
      about: { orderNumber: '#1', delivery },
      startedAt: NOW,
      endedAt: NOW,
    } as const;
    countMail(metrics, { ...mail, answer: { kind: 'accepted', answer: '250 OK' } });
    countMail(metrics, { ...mail, answer: { kind: 'try-again', answer: '451 later' } });
    countMail(metrics, { ...mail, about: null, answer: { kind: 'accepted', answer: '250 OK' } });
    expect(await find('handover_receipt_delay_seconds_sum{role="all"}')).toBe(1.5);
    expect(await find('handover_receipt_delay_seconds_count{role="all"}')).toBe(1);
    expect(await find('handover_mail_answers_total{class="2xx",role="all"}')).toBe(2);
    expect(await find('handover_mail_answers_total{class="4xx",role="all"}')).toBe(1);
  });

  it.each([
    ['accepted', '250 2.0.0 OK', '2xx'],
    ['accepted', 'Kept as a file.', '2xx'],
    ['try-again', '451 4.7.1 greylisted', '4xx'],
    ['refused', '550 5.1.1 no such user', '5xx'],
    ['try-again', 'No connection to the mail server: ECONNREFUSED.', 'connection'],
    ['refused', 'The address is not one that can be mailed.', null],
  ] as const)('class an answer that is %s with “%s” as %s', (kind, answer, expected) => {
    expect(classifyAnswer({ kind, answer })).toBe(expected);
  });

  it('count downloads and the bytes that went out', async () => {
    const { metrics, find } = open();
    const stores = createInMemoryStores();
    const sessions = { ...stores.sessions, begin: async () => 'session', addSent: async () => undefined };
    const observed = observeStores({ ...stores, sessions }, metrics).sessions;
    await observed.begin('o', 'l', { sessionId: 's', joining: null, client: 'browser', at: NOW });
    const ranges = [
      { start: 0, end: 10 },
      { start: 20, end: 25 },
    ];
    await observed.addSent('o', 's', { version: '1', name: 'f', size: 100, ranges }, NOW);
    expect(await find('handover_downloads_total{role="all"}')).toBe(1);
    expect(await find('handover_download_bytes_total{role="all"}')).toBe(15);
  });

  it('count refused signatures, of all requests', async () => {
    const { metrics, find } = open();
    for (const outcome of ['refused', 'recorded']) metrics.observeWebhook('cart-a', outcome);
    expect(await find('handover_refused_signatures_total{platform="cart-a",role="all"}')).toBe(1);
    expect(
      await find('handover_webhook_requests_total{platform="cart-a",outcome="recorded",role="all"}'),
    ).toBe(1);
  });
});

describe('a scrape', () => {
  const pool = { purpose: 'pages', used: 1, idle: 2, waiting: 3, max: 6 };
  const clock = { now: () => NOW };

  it('says how old the oldest work is, what is queued, and how busy the pools are', async () => {
    const { metrics, find } = open();
    const backlog: Backlog = {
      oldestUndecided: new Date(NOW.getTime() - 60_000),
      // Due in the future: it does not wait yet.
      oldestPendingEmail: new Date(NOW.getTime() + 60_000),
      jobs: [{ kind: 'send-email', state: 'due', count: 7 }],
    };
    await createMetricsRefresh(metrics, { clock, pools: () => [pool], readBacklog: async () => backlog })();
    expect(await find('handover_database_up{role="all"}')).toBe(1);
    expect(await find('handover_oldest_undecided_delivery_age_seconds{role="all"}')).toBe(60);
    expect(await find('handover_oldest_pending_email_age_seconds{role="all"}')).toBe(0);
    expect(await find('handover_queue_jobs{kind="send-email",state="due",role="all"}')).toBe(7);
    expect(await find('handover_pool_connections{purpose="pages",state="used",role="all"}')).toBe(1);
    expect(await find('handover_pool_waiting{purpose="pages",role="all"}')).toBe(3);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('away'))],
    ['hangs', () => new Promise<Backlog>(() => undefined)],
  ])('ends while the database %s, and says so', async (_name, readBacklog) => {
    const { metrics, find } = open();
    const refresh = createMetricsRefresh(metrics, { clock, pools: () => [], readBacklog });
    metrics.setBacklog({ ...EMPTY, jobs: [{ kind: 'send-email', state: 'due', count: 7 }] }, NOW);
    await refresh();
    expect(await find('handover_database_up{role="all"}')).toBe(0);
    expect(await find('handover_queue_jobs{kind="send-email",state="due",role="all"}')).toBe(null);
    expect(await find('handover_oldest_undecided_delivery_age_seconds{role="all"}')).toBe(null);
    expect(await find('process_cpu_seconds_total{role="all"}')).toEqual(expect.any(Number));
  });

  it('asks the database once for several scrapers', async () => {
    const { metrics } = open();
    let asked = 0;
    const readBacklog = async () => {
      asked += 1;
      return EMPTY;
    };
    const refresh = createMetricsRefresh(metrics, { clock, pools: () => [], readBacklog });
    await Promise.all([refresh(), refresh()]);
    await refresh();
    expect(asked).toBe(1);
  });
});
