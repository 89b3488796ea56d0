import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { undoLater } from '../../../../test/undo.ts';

/** Attributes by key, as text. */
type Attributes = Readonly<Record<string, string>>;

export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly attributes: Attributes;
  /** Of the process. */
  readonly resource: Attributes;
}

export interface OtlpCollector {
  /** What makes a server send everything here, and soon. */
  readonly settings: Readonly<Record<string, string>>;
  readonly spans: readonly ReceivedSpan[];
  /** The last sum of each metric: its name and its role. */
  readonly metrics: ReadonlyMap<string, number>;
  /** All that was sent, as text. */
  readonly received: readonly string[];
}

interface Attribute {
  readonly key: string;
  readonly value: object;
}

interface Sent {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'attributes'> & {
        readonly attributes: readonly Attribute[];
      })[];
    }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly {
        readonly name: string;
        readonly sum?: Points;
        readonly gauge?: Points;
      }[];
    }[];
  }[];
}

interface Points {
  readonly dataPoints: readonly {
    readonly attributes: readonly Attribute[];
    readonly asDouble?: number;
    readonly asInt?: number;
  }[];
}

/** A collector of OpenTelemetry: OTLP over HTTP, as JSON. */
export async function startCollector(): Promise<OtlpCollector> {
  const spans: ReceivedSpan[] = [];
  const metrics = new Map<string, number>();
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const sent = (await json(request)) as Sent;
    received.push(JSON.stringify(sent));
    for (const { resource, scopeSpans } of sent.resourceSpans ?? []) {
      const ofProcess = readAttributes(resource.attributes);
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        spans.push({ ...span, attributes: readAttributes(span.attributes), resource: ofProcess });
      }
    }
    const all = (sent.resourceMetrics ?? []).flatMap(({ scopeMetrics }) => scopeMetrics);
    for (const { name, sum, gauge } of all.flatMap((scope) => scope.metrics)) {
      const points = (sum ?? gauge)?.dataPoints ?? [];
      const totals = new Map<string, number>();
      for (const { attributes, asDouble, asInt } of points) {
        const key = `${name} ${readAttributes(attributes).role}`;
        totals.set(key, (totals.get(key) ?? 0) + (asDouble ?? Number(asInt)));
      }
      for (const [key, total] of totals) metrics.set(key, total);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  undoLater(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    OTEL_METRIC_EXPORT_TIMEOUT: '500',
  };
  return { settings, spans, metrics, received };
}

function readAttributes(attributes: readonly Attribute[]): Attributes {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]));
}
