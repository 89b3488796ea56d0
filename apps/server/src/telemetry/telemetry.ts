import type { MetricsEndpoint } from '@handover/adapters-http';
import { type Databases, type JobQueue, readBacklog } from '@handover/adapters-postgres';
import type { AnsweredMail, Clock, Decision, Stores } from '@handover/domain';
import type { Settings } from '../settings/settings.ts';
import { createMetrics } from './metrics.ts';
import { countDecision, countMail, observeStores } from './observe-stores.ts';
import { createMetricsRefresh } from './read-metrics.ts';
import type { EndedWork, Tracing } from './tracing.ts';

/** What the process tells of its work. */
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
  database,
  jobs,
  tracing,
}: {
  readonly settings: Pick<Settings, 'role' | 'metricsToken'>;
  readonly clock: Clock;
  readonly version: string;
  readonly database: Pick<Databases, 'pages' | 'pools' | 'replicaLagMs'>;
  readonly jobs: Pick<JobQueue, 'pool'>;
  readonly tracing: Tracing | undefined;
}): Telemetry {
  const metrics = createMetrics({ role: settings.role, version });
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
