import { type Complain, type Get, readWholeNumber } from './read-value.ts';

/** How the service is watched. */
export interface TelemetrySetting {
  /** What a scraper must send as a Bearer token. Null: only programs on this machine may read metrics. */
  readonly metricsToken: string | null;
  /** The port of a listener for metrics alone, beside the pages or instead of them. Null: none. */
  readonly metricsPort: number | null;
  /** The collector for OpenTelemetry, whose libraries read this and further variables themselves. Null: none. */
  readonly otlpEndpoint: string | null;
}

/** `pagePort`: where this process serves pages, if it does. */
export function readTelemetrySetting(
  get: Get,
  pagePort: number | null,
  complain: Complain,
): TelemetrySetting {
  const metricsPort = readWholeNumber('METRICS_PORT', get('METRICS_PORT'), ANY_PORT, complain);
  // Port 0 is another free one each time.
  if (metricsPort !== null && metricsPort !== 0 && metricsPort === pagePort) {
    complain('METRICS_PORT', `must be another port than PORT, which is ${pagePort} as well`);
  }
  return {
    metricsToken: readToken(get('METRICS_TOKEN'), complain),
    metricsPort,
    otlpEndpoint: readEndpoint(get('OTEL_EXPORTER_OTLP_ENDPOINT'), complain),
  };
}

const ANY_PORT = { least: 0, most: 65_535, usual: null };

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

function readEndpoint(text: string | null, complain: Complain): string | null {
  if (text !== null && !/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    complain(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'must be the address of a collector, such as http://localhost:4318',
    );
  }
  return text;
}
