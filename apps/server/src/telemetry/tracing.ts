import type { RequestTracing } from '@handover/adapters-http';
import type { TraceContext } from '@handover/domain';
import type { Registry } from 'prom-client';

/** Work that is over. `parent`: what it continues, unless it ran within a request. */
export interface EndedWork {
  readonly name: string;
  readonly parent: TraceContext | null;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly attributes: Readonly<Record<string, string>>;
  readonly isFailed: boolean;
}

/** Traces and metrics that are sent to a collector. */
export interface Tracing extends RequestTracing {
  recordWork(work: EndedWork): void;
  /** Runs work outside the trace of whatever woke it. */
  detach<Result>(work: () => Result): Result;
  /** Sends the metrics of the registry now and then, `refresh` first. */
  sendMetrics(registry: Registry, refresh: () => Promise<void>): void;
  /** Sends what is not sent yet, for a limited time. */
  stop(): Promise<void>;
}

/** The trace id of W3C's `traceparent`, for logs. */
export function traceIdOf(traceContext: TraceContext | null | undefined): string | null {
  return traceContext?.split('-')[1] ?? null;
}
