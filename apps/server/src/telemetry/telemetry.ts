import type { MetricsEndpoint } from '@handover/adapters-http';
import { type Databases, type JobQueue, readBacklog } from '@handover/adapters-postgres';
import type { AnsweredMail, Clock, Decision, Stores } from '@handover/domain';
import type { Settings } from '../settings/settings.ts';
import { createMetrics } from './metrics.ts';
import { countDecision, countMail, observeStores } from './observe-stores.ts';
import { createMetricsRefresh } from './read-metrics.ts';

/** What the process tells of its work. */
export interface Telemetry {
  readonly endpoint: MetricsEndpoint;
  observe(stores: Stores): Stores;
  noteWebhook(platform: string, outcome: string): void;
  noteDecision(decision: Decision): void;
  noteMail(mail: AnsweredMail): void;
}

export function createTelemetry({
  settings,
  clock,
  version,
  database,
  jobs,
}: {
  readonly settings: Pick<Settings, 'role' | 'metricsToken'>;
  readonly clock: Clock;
  readonly version: string;
  readonly database: Pick<Databases, 'pages' | 'pools'>;
  readonly jobs: Pick<JobQueue, 'pool'>;
}): Telemetry {
  const metrics = createMetrics({ role: settings.role, version });
  const refresh = createMetricsRefresh(metrics, {
    clock,
    pools: () => [...database.pools(), jobs.pool()],
    readBacklog: () => readBacklog(database.pages.db),
  });
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
    noteWebhook: metrics.noteWebhook,
    noteDecision: (decision) => countDecision(metrics, decision),
    noteMail: (mail) => countMail(metrics, mail),
  };
}
