import { createHmac } from 'node:crypto';
import { type HeaderNames, headerValues, type InboundHeaders } from './headers.ts';
import type { InboundDelivery, SigningConnection } from './platform-webhook.ts';
import { isSameSecret } from './same-secret.ts';
import { findSigner, type Refused, refuse, type Verification } from './verification.ts';

export type HmacEncoding = 'base64' | 'hex';

export interface HmacScheme {
  readonly headers: HeaderNames;
  readonly encodings: readonly HmacEncoding[];
  /**
   * The keys that can be derived from one stored secret; the secret itself unless the platform transforms
   * it.
   */
  readonly keys?: (secret: string) => readonly string[];
}

/** Verifies one HMAC-SHA256 over the raw body, carried in one header. */
export function verifyHmac(
  inbound: Pick<InboundDelivery, 'body' | 'headers'>,
  connections: readonly SigningConnection[],
  { headers, encodings, keys = (secret) => [secret] }: HmacScheme,
): Verification {
  const signature = readSignature(inbound.headers, headers);
  if (typeof signature !== 'string') return signature;
  const encoding = encodings.find((candidate) => SHAPES[candidate].test(signature));
  if (!encoding) return refuse('The signature is not in the form that this platform uses.');
  return findSigner(connections, (secret) =>
    // All keys are compared, so that the time does not reveal which one matched.
    keys(secret)
      .map((key) => isSameSecret(signature, signHmac(key, inbound.body, encoding)))
      .includes(true),
  );
}

/** The one signature of the request, or why there is none. */
export function readSignature(headers: InboundHeaders, names: HeaderNames): string | Refused {
  const values = headerValues(headers, names);
  const [value = ''] = values;
  if (values.length > 1) return refuse('The signature header came more than once.');
  if (/[^\t\x20-\x7e]/.test(value)) return refuse('The signature holds characters outside ASCII.');
  const signature = value.trim();
  return signature === '' ? refuse('The signature is missing.') : signature;
}

/** Signs a body, or a prefix and a body; these need not be copied into one buffer. */
export function signHmac(
  key: string,
  body: Uint8Array | readonly Uint8Array[],
  encoding: HmacEncoding,
): string {
  const hmac = createHmac('sha256', key);
  for (const part of body instanceof Uint8Array ? [body] : body) hmac.update(part);
  return hmac.digest(encoding);
}

/** 32 bytes in their canonical encoding, so that no two texts are accepted for one signature. */
const SHAPES: Readonly<Record<HmacEncoding, RegExp>> = {
  base64: /^[A-Za-z0-9+/]{43}=$/,
  hex: /^[0-9a-f]{64}$/,
};
