import type { MetricsEndpoint } from '@handover/adapters-http';
import { type Databases, type JobQueue, readBacklog } from '@handover/adapters-postgres';
import {
  type AnsweredMail,
  type Clock,
  countBytes,
  type Decision,
  SHARED_PLATFORM,
  type Stores,
} from '@handover/domain';
import type { Settings } from '../settings/settings.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createMetricsRefresh } from './read-metrics.ts';
import type { EndedWork, Tracing } from './tracing.ts';

/** What the process reports about its work. */
export interface Telemetry {
  readonly endpoint: MetricsEndpoint;
  observe(stores: Stores): Stores;
  observeWebhook(platform: string, outcome: string): void;
  observeDecision(decision: Decision): void;
  observeMail(mail: AnsweredMail): void;
  /** Runs a job outside the trace of the request that woke it. */
  detach<Result>(job: () => Result): Result;
}

export function createTelemetry({
  settings,
  clock,
  version,
  platforms,
  database,
  jobs,
  tracing,
}: {
  readonly settings: Pick<Settings, 'role' | 'metricsToken'>;
  readonly clock: Clock;
  readonly version: string;
  readonly platforms: readonly string[];
  readonly database: Pick<Databases, 'pages' | 'pools' | 'replicaLagMs'>;
  readonly jobs: Pick<JobQueue, 'pool'>;
  readonly tracing: Tracing | undefined;
}): Telemetry {
  const metrics = createMetrics({ role: settings.role, version, platforms });
  const refresh = createMetricsRefresh(metrics, {
    clock,
    pools: () => [...database.pools(), jobs.pool()],
    readBacklog: () => readBacklog(database.pages.db),
    replicaLagMs: database.replicaLagMs,
  });
  tracing?.sendMetrics(metrics.registry, refresh);
  return {
    endpoint: {
      token: settings.metricsToken,
      read: async () => {
        await refresh();
        const { registry } = metrics;
        return { contentType: registry.contentType, text: await registry.metrics() };
      },
    },
    observe: (stores) => observeStores(stores, metrics),
    observeWebhook: metrics.observeWebhook,
    observeDecision: (decision) => {
      countDecision(metrics, decision);
      tracing?.recordWork(describeDecision(decision));
    },
    observeMail: (mail) => {
      countMail(metrics, mail);
      tracing?.recordWork(describeMail(mail));
    },
    detach: (job) => (tracing ? tracing.detach(job) : job()),
  };
}

function describeDecision({ order, delivery, plan, startedAt, endedAt }: Decision): EndedWork {
  return {
    name: 'decide order',
    parent: delivery.traceContext ?? null,
    startedAt,
    endedAt,
    isFailed: plan.delivery.status === 'error',
    attributes: {
      'handover.delivery.id': delivery.id,
      'handover.delivery.status': plan.delivery.status,
      'handover.order.number': order.orderNumber,
      'handover.platform': order.platform,
    },
  };
}

function describeMail({ emailKind, answer, about, startedAt, endedAt }: AnsweredMail): EndedWork {
  const { delivery, orderNumber } = about ?? {};
  return {
    name: `send ${emailKind}`,
    parent: delivery?.traceContext ?? null,
    startedAt,
    endedAt,
    isFailed: answer.kind === 'refused',
    attributes: {
      'handover.mail.answer': answer.kind,
      ...(delivery && { 'handover.delivery.id': delivery.id }),
      ...(orderNumber && { 'handover.order.number': orderNumber }),
    },
  };
}

/** Stores that count what is written: entries that need no decision, and what buyers download. */
export function observeStores(stores: Stores, metrics: Metrics): Stores {
  const { deliveries, unassigned, sessions } = stores;
  return {
    ...stores,
    deliveries: {
      ...deliveries,
      record: async (recording) => {
        const outcome = await deliveries.record(recording);
        const isRefused = outcome === 'reused' && recording.proof?.whenReused.kind === 'refuse';
        if (outcome === 'gone' || isRefused) return outcome;
        for (const { platform, status } of recording.deliveries) {
          if (status !== 'pending') metrics.countDelivery(platform, status);
        }
        return outcome;
      },
    },
    unassigned: {
      ...unassigned,
      record: async (waiting, body) => {
        const ids = await unassigned.record(waiting, body);
        for (const _ of waiting) metrics.countDelivery(SHARED_PLATFORM, 'unassigned');
        return ids;
      },
    },
    sessions: {
      ...sessions,
      begin: async (...request) => {
        const id = await sessions.begin(...request);
        if (id !== null) metrics.countDownload();
        return id;
      },
      addSent: async (orgId, sessionId, sent, at) => {
        await sessions.addSent(orgId, sessionId, sent, at);
        metrics.countBytesSent(countBytes(sent.ranges));
      },
    },
  };
}

/** Counts a committed decision. */
export function countDecision(metrics: Metrics, { order, plan }: Decision): void {
  metrics.countDelivery(order.platform, plan.delivery.status);
}

/** Counts what became of a mail. */
export function countMail(metrics: Metrics, { answer, about, endedAt }: AnsweredMail): void {
  metrics.countMailAnswer(answer);
  const { receivedAt } = about?.delivery ?? {};
  if (answer.kind !== 'accepted' || !receivedAt) return;
  metrics.observeReceiptDelay((endedAt.getTime() - receivedAt.getTime()) / 1000);
}
