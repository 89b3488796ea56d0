import type { PlatformWebhook } from './platform-webhook.ts';

/** Header names, lower case, in order of precedence: our neutral name first, then the vendor's own. */
export type HeaderNames = readonly string[];

/** As Node gives them: names in lower case. */
export type InboundHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The few headers that are stored with a body. */
export type KeptHeaders = Readonly<Record<string, string>>;

/** The headers of a request that the platform's translation reads. */
export function keepHeaders(
  platform: Pick<PlatformWebhook, 'keptHeaders'>,
  headers: InboundHeaders,
): KeptHeaders {
  const kept = platform.keptHeaders.map((name) => [name, oneValue(headerValues(headers, [name]))] as const);
  return Object.fromEntries(
    kept.flatMap(([name, value]) => (value === null ? [] : [[name, storable(value)] as const])),
  );
}

/**
 * A header that a proxy duplicated counts once (Node joins duplicates with a comma). Contradictory values
 * count as absent: then the body alone is checked.
 */
function oneValue(values: readonly string[]): string | null {
  const [value, ...others] = new Set(values.flatMap((text) => text.split(',')).map((text) => text.trim()));
  return value === undefined || others.length > 0 ? null : value;
}

/** The value of the first named header that is not empty. */
export function readHeader(headers: KeptHeaders, names: HeaderNames): string | null {
  const values = names.map((name) => headers[name]?.trim() ?? '');
  return values.find((value) => value !== '') ?? null;
}

/** Every value of the first named header that is present. */
export function headerValues(headers: InboundHeaders, names: HeaderNames): readonly string[] {
  const name = names.find((candidate) => headers[candidate] !== undefined);
  const value = name === undefined ? undefined : headers[name];
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

/** PostgreSQL can store neither NUL nor lone surrogates. HTTP allows neither, but another transport might. */
function storable(value: string): string {
  return value.toWellFormed().replaceAll('\0', '');
}
