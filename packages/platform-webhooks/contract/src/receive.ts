import { createHash } from 'node:crypto';
import type { Proof, TranslatedEntry } from '@handover/domain';
import { keepHeaders } from './headers.ts';
import type { InboundDelivery, PlatformWebhook, SigningConnection, Unreadable } from './platform-webhook.ts';
import { readBody } from './read-body.ts';
import { type Refused, refuse, type Verification, type Verified } from './verification.ts';

/** The outcome of a webhook request: its sender is verified before a byte of its body is parsed. */
export type Reception = Refused | ((ReadBody | Unreadable) & Origin);

interface ReadBody {
  readonly kind: 'translated';
  readonly entries: readonly TranslatedEntry[];
}

interface Origin {
  readonly connectionId: string;
  /** Where the signature does not cover the body. */
  readonly proof?: Proof;
}

/** The answer to the sender when `verify` throws. */
export const NOT_CHECKED = 'The signature could not be checked.';

/** Verifies, parses and translates one request, in that order, for any platform. It never throws. */
export function receive(
  platform: PlatformWebhook,
  inbound: InboundDelivery,
  connections: readonly SigningConnection[],
): Reception {
  const verification = verifySender(platform, inbound, connections);
  return verification.kind === 'refused'
    ? verification
    : readVerified(platform, inbound, connections, verification);
}

/** The steps after verification, for a caller that yields to other requests before them. It never throws. */
export function readVerified(
  platform: PlatformWebhook,
  inbound: InboundDelivery,
  connections: readonly SigningConnection[],
  { connectionId }: Verified,
): Reception {
  const read = readBody(platform, inbound.body, keepHeaders(platform, inbound.headers));
  const body = 'kind' in read ? read : ({ kind: 'translated', entries: read } as const);
  const strict = connections.find(({ id }) => id === connectionId)?.rules?.strict ?? false;
  const proof = checkProof(platform, inbound, body, strict);
  if (proof?.kind === 'refused') return proof;
  return { ...body, connectionId, ...(proof ? { proof: proof.proof } : {}) };
}

/**
 * Only checks whether a secret of these connections verifies the request, whatever its body contains. It
 * never throws.
 */
export function verifySender(
  platform: PlatformWebhook,
  inbound: InboundDelivery,
  connections: readonly SigningConnection[],
): Verification {
  try {
    return platform.verify(inbound, connections, inbound.receivedAt);
  } catch {
    return refuse(NOT_CHECKED);
  }
}

function checkProof(
  { proofOfOrigin }: PlatformWebhook,
  inbound: InboundDelivery,
  body: ReadBody | Unreadable,
  strict: boolean,
): Refused | { readonly kind: 'proof'; readonly proof: Proof } | null {
  if (!proofOfOrigin) return null;
  const fingerprint = proofOfOrigin.fingerprint(inbound);
  if (fingerprint === null) return refuse(NOT_CHECKED);
  const { note, refusal } = proofOfOrigin.reused;
  if (strict) {
    const entry = body.kind === 'translated' ? body.entries[0] : undefined;
    const refused = proofOfOrigin.checkStrictly(inbound, entry, inbound.receivedAt);
    if (refused) return refused;
  }
  const whenReused = strict
    ? ({ kind: 'refuse', reason: refusal.reason } as const)
    : ({ kind: 'note', note } as const);
  const bodySha256 = createHash('sha256').update(inbound.body).digest('hex');
  return { kind: 'proof', proof: { fingerprint, bodySha256, whenReused } };
}
