import type { Backlog, PoolUse } from '@handover/adapters-postgres';
import type { MailAnswer, PostponedMail } from '@handover/domain';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What the process counts, for Prometheus and OTLP. No label takes a value that strangers or tenants choose. */
export interface Metrics {
  readonly registry: Registry;
  countDelivery(platform: string, outcome: string): void;
  observeReceiptDelay(seconds: number): void;
  countMailAnswer(answer: MailAnswer | PostponedMail): void;
  observeWebhook(platform: string, outcome: string): void;
  countDownload(): void;
  countBytesSent(bytes: number): void;
  /** Null: the database does not answer. What it would say is left out then. */
  setBacklog(backlog: Backlog | null, now: Date): void;
  setPools(pools: readonly PoolUse[]): void;
  /** Null: there is no read replica, or it does not answer. */
  setReplicaLag(milliseconds: number | null): void;
}

/** From what is hardly noticed to the day after which receipts are an emergency. */
const DELAY_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 21_600, 86_400];

/** One registry for each process: several may run in one program, as tests do. */
export function createMetrics({
  role,
  version,
  platforms,
}: {
  readonly role: string;
  readonly version: string;
  readonly platforms: readonly string[];
}): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ role });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
  const metrics = register(registry);
  metrics.build.set({ version }, 1);
  startAtZero(metrics, platforms);
  return {
    registry,
    countDelivery: (platform, outcome) => metrics.deliveries.inc({ platform, outcome }),
    observeReceiptDelay: (seconds) => metrics.delay.observe(Math.max(0, seconds)),
    countMailAnswer: (answer) => {
      const type = classifyAnswer(answer);
      if (type) metrics.answers.inc({ class: type });
    },
    observeWebhook: (platform, outcome) => {
      metrics.webhooks.inc({ platform, outcome });
      if (outcome === 'refused') metrics.refused.inc({ platform });
    },
    countDownload: () => metrics.downloads.inc(),
    countBytesSent: (count) => metrics.bytes.inc(count),
    setBacklog: (backlog, now) => {
      metrics.up.set(backlog ? 1 : 0);
      metrics.jobs.reset();
      if (!backlog) {
        metrics.undecided.remove();
        metrics.pendingEmail.remove();
        return;
      }
      metrics.undecided.set(secondsSince(backlog.oldestUndecided, now));
      metrics.pendingEmail.set(secondsSince(backlog.oldestPendingEmail, now));
      for (const { kind, state, count } of backlog.jobs) metrics.jobs.set({ kind, state }, count);
    },
    setReplicaLag: (milliseconds) => {
      if (milliseconds === null) metrics.replicaLag.remove({ replica: 'read' });
      else metrics.replicaLag.set({ replica: 'read' }, milliseconds / 1000);
    },
    setPools: (pools) => {
      for (const { purpose, ...pool } of pools) {
        metrics.connections.set({ purpose, state: 'used' }, pool.used);
        metrics.connections.set({ purpose, state: 'idle' }, pool.idle);
        metrics.maximum.set({ purpose }, pool.max);
        metrics.waiting.set({ purpose }, pool.waiting);
      }
    },
  };
}

/** Every metric of ours, with its name and its labels. */
function register(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name: `handover_${name}`, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name: `handover_${name}`, help, labelNames, registers });
  return {
    build: gauge('build_info', 'Always 1. The version is a label.', ['version']),
    deliveries: counter(
      'deliveries_total',
      'Deliveries that were decided, by platform and outcome. pending: delivered, and the receipt is to be sent.',
      ['platform', 'outcome'],
    ),
    delay: new Histogram({
      name: 'handover_receipt_delay_seconds',
      help: 'Time from receiving a delivery until the mail server accepted its receipt.',
      buckets: DELAY_BUCKETS,
      registers,
    }),
    answers: counter('mail_answers_total', 'Answers of the mail server, by class of their code.', ['class']),
    webhooks: counter('webhook_requests_total', 'Webhook requests, by platform and outcome.', [
      'platform',
      'outcome',
    ]),
    refused: counter('refused_signatures_total', 'Webhook requests that failed verification, by platform.', [
      'platform',
    ]),
    downloads: counter('downloads_total', 'Requests for files that sent bytes or redirected to the bucket.'),
    bytes: counter('download_bytes_total', 'Bytes of files that were sent to buyers.'),
    up: gauge('database_up', 'Whether the database answered at this scrape.'),
    undecided: gauge(
      'oldest_undecided_delivery_age_seconds',
      'Age of the oldest delivery that was never decided; 0 when there is none.',
    ),
    pendingEmail: gauge(
      'oldest_pending_email_age_seconds',
      'Time that the oldest pending e-mail has been due; 0 when there is none.',
    ),
    jobs: gauge('queue_jobs', 'Jobs in the queue, by kind and state, counted up to 100000.', [
      'kind',
      'state',
    ]),
    connections: gauge('pool_connections', 'Database connections of this process.', ['purpose', 'state']),
    maximum: gauge('pool_connections_max', 'The most connections that a pool opens.', ['purpose']),
    waiting: gauge('pool_waiting', 'Statements that wait for a connection.', ['purpose']),
    replicaLag: gauge(
      'replica_lag_seconds',
      'How far the read replica is behind. Beyond 5, or without a value, reads go to the primary.',
      ['replica'],
    ),
  };
}

const WEBHOOK_OUTCOMES = ['recorded', 'refused', 'unreadable', 'not-recorded', 'overloaded', 'throttled'];
const DELIVERY_OUTCOMES = ['pending', 'success', 'held', 'error', 'ignored'];
const ANSWER_CLASSES = ['2xx', '4xx', '5xx', 'connection'];

/** Prometheus sees no increase in the first value of a series: without a 0 before it, the first burst raises no alert. */
function startAtZero(
  { webhooks, refused, deliveries, answers }: ReturnType<typeof register>,
  platforms: readonly string[],
): void {
  for (const platform of platforms) {
    refused.inc({ platform }, 0);
    for (const outcome of WEBHOOK_OUTCOMES) webhooks.inc({ platform, outcome }, 0);
    for (const outcome of DELIVERY_OUTCOMES) deliveries.inc({ platform, outcome }, 0);
  }
  for (const type of ANSWER_CLASSES) answers.inc({ class: type }, 0);
}

/** `connection`: the server said nothing. Null: it was not asked. */
export function classifyAnswer({ kind, answer }: MailAnswer | PostponedMail): string | null {
  if (kind === 'postponed') return null;
  const [, first] = /^([245])\d\d\b/.exec(answer) ?? [];
  if (first) return `${first}xx`;
  if (kind === 'accepted') return '2xx';
  return kind === 'refused' ? null : 'connection';
}

function secondsSince(time: Date | null, now: Date): number {
  return time ? Math.max(0, (now.getTime() - time.getTime()) / 1000) : 0;
}
