import { createHash } from 'node:crypto';
import type {
  DeliveryBody,
  OrderReader,
  Proof,
  RejectedReader,
  SecretFingerprints,
  TranslatedEntry,
  TranslatedOrder,
} from '@handover/domain';
import { type InboundHeaders, type KeptHeaders, keepHeaders } from './headers.ts';
import type {
  Credential,
  InboundDelivery,
  PlatformWebhook,
  PlatformWebhooks,
  SigningConnection,
  Unreadable,
} from './platform-webhook.ts';
import { sanitizeEntry } from './sanitize-entry.ts';
import { type Refused, readAsQuery, refuse, type Verification, type Verified } from './verification.ts';

/** The outcome of a webhook request. Its sender is verified before its order is read. */
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
  const proof = tryCheckProof(platform, inbound, body, strict);
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

/** What a platform throws here is a refusal, as in `verify`. */
function tryCheckProof(...given: Parameters<typeof checkProof>): ReturnType<typeof checkProof> {
  try {
    return checkProof(...given);
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

/** Parses and translates a body. It depends only on stored data, so it can run again at any time. */
function readBody(
  platform: PlatformWebhook,
  body: Uint8Array,
  headers: KeptHeaders,
): readonly TranslatedEntry[] | Unreadable {
  try {
    const parsed = platform.parse(body, headers);
    if (parsed.kind === 'unreadable') return parsed;
    const translation = platform.translate(parsed.value, headers);
    return 'kind' in translation ? translation : sanitizeEntries(translation);
  } catch (cause) {
    // A sender's body must never stop the service: the delivery is logged, and can be run again after a
    // fix.
    return {
      kind: 'unreadable',
      problem: 'The body has a shape that this platform is not known to send.',
      cause,
    };
  }
}

function sanitizeEntries(entries: readonly TranslatedEntry[]): readonly TranslatedEntry[] | Unreadable {
  const fitted = entries.map(sanitizeEntry);
  const [first] = fitted;
  if (fitted.length === 1 && first?.kind === 'unreadable') return first;
  // One bad event of a batch must not fail the others. A paid order among them must show as an error, not
  // as ignored.
  return fitted.map((entry) =>
    entry.kind === 'unreadable' ? { kind: 'error', orderId: null, reason: entry.problem } : entry,
  );
}

/** Reads one order again from the bytes of a stored request; null when they do not contain it. */
export function translateAgain(
  platform: PlatformWebhook,
  body: StoredBody,
  orderId: string,
): TranslatedOrder | null {
  return listOrders(platform, body).find((order) => order.orderId === orderId) ?? null;
}

/** The orders of a body that nobody verified: for people to see whose it may be, and never to deliver. */
export function readUnverified(platform: PlatformWebhook, body: StoredBody): readonly TranslatedOrder[] {
  return listOrders(platform, body);
}

type StoredBody = Pick<DeliveryBody, 'bytes' | 'headers'>;

function listOrders(platform: PlatformWebhook, { bytes, headers }: StoredBody): readonly TranslatedOrder[] {
  const read = readBody(platform, bytes, headers);
  if ('kind' in read) return [];
  return read.flatMap((entry) => (entry.kind === 'order' ? [entry.order] : []));
}

/** Reads stored deliveries of these platforms again. They were verified before they were stored. */
export function createOrderReader(platforms: PlatformWebhooks): OrderReader {
  return {
    read({ orgId, platform: label, connectionId, orderId, body, addedEmail = null }) {
      const platform = platforms[label];
      const order = platform && body && orderId !== null ? translateAgain(platform, body, orderId) : null;
      // One is added only where no mail can be sent to what the shop says.
      const customer = order && { ...order.customer, email: addedEmail ?? order.customer.email };
      return order && customer && { ...order, customer, orgId, platform: label, connectionId };
    },
  };
}

/**
 * Whether a request is the platform's unsigned test of the address. It is answered with exactly 200 and not
 * recorded. The check precedes `receive` and needs neither connection nor secret. It never throws.
 */
export function isPing(
  platform: Pick<PlatformWebhook, 'isPing'>,
  inbound: Pick<InboundDelivery, 'body' | 'headers'>,
): boolean {
  try {
    return platform.isPing?.(inbound) ?? false;
  } catch {
    return false;
  }
}

/**
 * How many bytes of a request's body may be read, judging by its head: without its credential, few or none.
 */
export function countReadableBytes(
  { credential, maxUnsignedBytes = 0 }: Pick<PlatformWebhook, 'credential' | 'maxUnsignedBytes'>,
  { headers, query }: Pick<InboundDelivery, 'headers' | 'query'>,
): number {
  const carriesCredential =
    credential.kind === 'signature'
      ? credential.headers.some((name) => isGiven(headers[name]))
      : isGiven(query[credential.parameter]);
  return carriesCredential ? Number.POSITIVE_INFINITY : maxUnsignedBytes;
}

function isGiven(value: string | readonly string[] | undefined): boolean {
  return [value ?? []].flat().some((text) => text.trim() !== '');
}

/** The parts of a refused request that are needed to verify it later. */
export interface KeptCredential {
  readonly headers: KeptHeaders;
  /** The fingerprint of a secret in the URL; the secret itself is never stored. */
  readonly secretFingerprint: string | null;
}

/** Null when no secret could ever verify the request, because it carries no credential. */
export function keepCredential(
  platform: Pick<PlatformWebhook, 'credential' | 'keptHeaders'>,
  orgId: string,
  { headers, query, body }: Pick<InboundDelivery, 'headers' | 'query' | 'body'>,
  fingerprints: Pick<SecretFingerprints, 'make'>,
): KeptCredential | null {
  const { credential } = platform;
  const read = keepHeaders(platform, headers);
  if (credential.kind === 'signature') {
    if (credential.expires) return null;
    const signed = keepSignatures(headers, credential.headers);
    const isGiven = Object.keys(signed).length > 0 || credential.inBody?.(body) === true;
    return isGiven ? { headers: { ...read, ...signed }, secretFingerprint: null } : null;
  }
  const secret = query[credential.parameter];
  if (typeof secret !== 'string' || secret.trim() === '') return null;
  return { headers: read, secretFingerprint: fingerprints.make(orgId, secret) };
}

/** Reads rejected requests of these platforms again. */
export function createRejectedReader(
  platforms: PlatformWebhooks,
  fingerprints: Pick<SecretFingerprints, 'matches'>,
): RejectedReader {
  return {
    read(rejected, connections) {
      const { orgId, platform: label, receivedAt, bytes, headers, secretFingerprint } = rejected;
      const platform = platforms[label];
      if (!platform) return null;
      const secrets = connections.flatMap((connection) => connection.secrets);
      const isMeant = (secret: string) =>
        secretFingerprint !== null && fingerprints.matches(orgId, secret, secretFingerprint);
      const meant = secrets.find(isMeant) ?? secrets.find((secret) => isMeant(readAsQuery(secret)));
      const query = restoreQuery(platform.credential, meant);
      const inbound = { platform: label, body: bytes, headers, query, receivedAt };
      const reception = receive(platform, inbound, connections);
      if (reception.kind === 'refused') return null;
      const { connectionId, proof = null } = reception;
      const kept = keepHeaders(platform, headers);
      return {
        orgId,
        platform: label,
        connectionId,
        receivedAt,
        bytes,
        headers: kept,
        content: reception,
        proof,
      };
    },
  };
}

/** Restores the query with the given secret. */
function restoreQuery(credential: Credential, secret: string | undefined): InboundDelivery['query'] {
  return credential.kind === 'secret-in-url' && secret !== undefined
    ? { [credential.parameter]: secret }
    : {};
}

/**
 * PostgreSQL cannot store NUL. A header with several values is left out, because every platform refuses it.
 */
function keepSignatures(headers: InboundHeaders, names: readonly string[]): KeptHeaders {
  const entries = names.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? [[name, value]] : [];
  });
  return Object.fromEntries(entries);
}
