/** How the service is watched. */
export interface TelemetrySetting {
  /** What a scraper must send as a Bearer token. Null: only programs on this machine may read metrics. */
  readonly metricsToken: string | null;
  /** The port of a listener for metrics alone, beside the pages or instead of them. Null: none. */
  readonly metricsPort: number | null;
  /** The collector for OpenTelemetry, whose libraries read this and further variables themselves. Null: none. */
  readonly otlpEndpoint: string | null;
}

type Complain = (name: string, problem: string) => void;

export function readTelemetrySetting(
  get: (name: string) => string | null,
  complain: Complain,
): TelemetrySetting {
  return {
    metricsToken: readToken(get('METRICS_TOKEN'), complain),
    metricsPort: readPort(get('METRICS_PORT'), complain),
    otlpEndpoint: readEndpoint(get('OTEL_EXPORTER_OTLP_ENDPOINT'), complain),
  };
}

const MIN_TOKEN_LENGTH = 16;

function readToken(text: string | null, complain: Complain): string | null {
  if (text !== null && (text.length < MIN_TOKEN_LENGTH || !/^[\x21-\x7e]+$/.test(text))) {
    complain(
      'METRICS_TOKEN',
      `must hold at least ${MIN_TOKEN_LENGTH} characters without spaces; make one with: openssl rand -hex 32`,
    );
  }
  return text;
}

function readPort(text: string | null, complain: Complain): number | null {
  if (text === null) return null;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  complain('METRICS_PORT', `must be a number from 0 to 65535, not “${text}”`);
  return null;
}

function readEndpoint(text: string | null, complain: Complain): string | null {
  if (text !== null && !/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    complain(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'must be the address of a collector, such as http://localhost:4318',
    );
  }
  return text;
}
