import {
  type Context,
  context,
  DiagLogLevel,
  diag,
  metrics as meters,
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { EndedWork, Tracing } from './tracing.ts';
import { within } from './within.ts';

/** A collector that is away must not keep the process from ending. */
const STOP_WITHIN_MS = 5_000;

/**
 * Starts OpenTelemetry. Its libraries take time and memory, so they are loaded here, and only where a collector is set. They read
 * every other `OTEL_…` variable themselves.
 */
export async function openTracing(
  facts: { readonly role: string; readonly version: string },
  log: Logger,
): Promise<Tracing> {
  reportFailures(log);
  // The log goes to stdout alone.
  process.env.OTEL_LOGS_EXPORTER ??= 'none';
  const [{ NodeSDK, resources }, { FastifyOtelInstrumentation }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@fastify/otel'),
  ]);
  const sdk = new NodeSDK({
    serviceName: process.env.OTEL_SERVICE_NAME ?? 'handover',
    resource: resources.resourceFromAttributes({
      'service.version': facts.version,
      'handover.role': facts.role,
    }),
    // Not that of the process: its attributes hold the command line.
    resourceDetectors: [resources.envDetector, resources.hostDetector],
  });
  sdk.start();
  const requests = new FastifyOtelInstrumentation({
    instrumentHooks: false,
    recordExceptions: false,
    ignorePaths: ({ url }) => /^\/(healthz|readyz|metrics)$/.test(url),
    requestHook: (span, { method, routeOptions: { url = 'none' } }) => {
      span.updateName(`${method} ${url}`);
      // The library sets the URL, which can hold a token, and a secret in its query.
      span.setAttribute('url.path', url);
    },
  });
  requests.setTracerProvider(trace.getTracerProvider());
  return {
    plugin: requests.plugin(),
    current: () => formatContext(context.active()),
    traceIdOf: (request) => {
      const { context: ofRequest } = request.opentelemetry();
      return (ofRequest && trace.getSpanContext(ofRequest)?.traceId) ?? null;
    },
    recordWork,
    detach: (work) => context.with(ROOT_CONTEXT, work),
    sendMetrics,
    stop: async () => void (await within(STOP_WITHIN_MS, sdk.shutdown())),
  };
}

/** Each batch that is not sent is reported: often enough is every five minutes. */
const REPORT_EVERY_MS = 5 * 60_000;

/** Without it, the libraries say nothing about a collector that is away. */
function reportFailures(log: Logger): void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const error = (message: string) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = performance.now();
    log.warn({ reason: readReason(message) }, 'traces or metrics do not reach the collector');
  };
  const ignore = () => undefined;
  const logger = { error, warn: ignore, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
}

/** An error arrives as JSON with its stack, and other messages as they are. */
function readReason(message: string): string {
  try {
    const read: unknown = JSON.parse(message);
    return typeof read === 'object' && read !== null && 'message' in read ? String(read.message) : message;
  } catch {
    return message;
  }
}

function recordWork({ name, parent, startedAt, endedAt, attributes, isFailed }: EndedWork): void {
  // Their clock is the database's, and the collector's spans are compared by this machine's.
  const endTime = new Date();
  const startTime = new Date(endTime.getTime() - (endedAt.getTime() - startedAt.getTime()));
  const tracer = trace.getTracer('handover');
  const span = tracer.startSpan(
    name,
    { startTime, attributes },
    parent ? readContext(parent) : context.active(),
  );
  if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(endTime);
}

function formatContext(active: Context): string | null {
  const { traceId, spanId, traceFlags } = trace.getSpanContext(active) ?? {};
  return traceId ? `00-${traceId}-${spanId}-${(traceFlags ?? 0).toString(16).padStart(2, '0')}` : null;
}

function readContext(traceContext: string): Context {
  const [, traceId, spanId, flags = '0'] = traceContext.split('-');
  if (!traceId || !spanId) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** The metrics are defined once, for Prometheus; each of its series is an instrument here, buckets included. */
function sendMetrics(registry: Registry, refresh: () => Promise<void>): void {
  const meter = meters.getMeter('handover');
  const instruments = new Map(
    registry.getMetricsAsArray().flatMap((metric) => {
      const { name, help: description } = metric;
      const type = registry.getSingleMetric(name)?.constructor.name;
      if (type === 'Gauge') return [[name, meter.createObservableGauge(name, { description })] as const];
      const names = type === 'Histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name];
      return names.map((each) => [each, meter.createObservableCounter(each, { description })] as const);
    }),
  );
  meter.addBatchObservableCallback(
    async (observed) => {
      await refresh();
      for (const { name, values } of await registry.getMetricsAsJSON()) {
        for (const { value, labels, ...series } of values) {
          const each =
            'metricName' in series && typeof series.metricName === 'string' ? series.metricName : name;
          const instrument = instruments.get(each);
          if (instrument) observed.observe(instrument, value, { ...labels });
        }
      }
    },
    [...instruments.values()],
  );
}
