import type { Readable } from 'node:stream';
import {
  countReadableBytes,
  type InboundDelivery,
  type PlatformWebhook,
  type SigningConnection,
  verifySender,
} from '@handover/platform-contract';
import { whileDatabaseAnswers } from '../database-answers.ts';
import type { HttpPorts } from '../http-ports.ts';
import { checkChunks } from '../requests/request-bodies.ts';
import type { WebhookPorts } from './receive-webhook.ts';
import { LARGEST_KEPT } from './record-rejection.ts';
import type { Throttled } from './throttle-refused.ts';
import { isSetUp, NOT_SET_UP, type WebhookAddress } from './webhook-address.ts';
import type { WebhookOutcome } from './webhook-outcome.ts';

type Refusal = Extract<WebhookOutcome, { readonly kind: 'refused' }>;
type Head = Omit<InboundDelivery, 'body'>;

/** A request whose body is worth reading. */
export interface AcceptedHead {
  readonly kind: 'accepted';
  readonly connections: readonly SigningConnection[];
  /** Null: the address's own limit applies. */
  readonly limit: ReadingLimit | null;
}

export interface ReadingLimit {
  readonly maxBytes: number;
  /** The outcome of a request whose body is longer. */
  readonly otherwise: WebhookOutcome;
}

/** Decides from the address, headers and query whether the body of a delivery is read. */
export async function checkHead(
  { database, timer }: Pick<WebhookPorts, 'database' | 'timer'>,
  platform: PlatformWebhook,
  address: WebhookAddress,
  head: Head,
): Promise<
  | AcceptedHead
  | Extract<WebhookOutcome, { readonly kind: 'unknown-organisation' | 'refused' | 'not-recorded' }>
> {
  const decide = async (seen: 'newest' | 'recent') => {
    const listed = address.listConnections(head.receivedAt, seen);
    return decideHead(platform, head, await whileDatabaseAnswers(database, listed, timer));
  };
  try {
    // A strict connection may have been set up a moment ago: its rules must not be bypassed.
    if (platform.proofOfOrigin) return await decide('newest');
    const decided = await decide('recent');
    return decided.kind === 'accepted' && decided.limit === null ? decided : await decide('newest');
  } catch (error) {
    return { kind: 'not-recorded', error };
  }
}

function decideHead(
  platform: PlatformWebhook,
  head: Head,
  connections: readonly SigningConnection[] | null,
): AcceptedHead | Extract<WebhookOutcome, { readonly kind: 'unknown-organisation' | 'refused' }> {
  if (connections === null) return { kind: 'unknown-organisation' };
  if (!isSetUp(connections)) return acceptUpTo(countKeptBytes(platform, head), NOT_SET_UP, head, connections);
  const maxBytes = countReadableBytes(platform, head);
  if (maxBytes === Number.POSITIVE_INFINITY) return { kind: 'accepted', connections, limit: null };
  // The platform's own message says which credential is missing.
  const refusal = verifySender(platform, { ...head, body: new Uint8Array() }, connections);
  return refusal.kind === 'refused'
    ? acceptUpTo(maxBytes, refusal, head, connections)
    : { kind: 'accepted', connections, limit: null };
}

function acceptUpTo(
  maxBytes: number,
  refusal: Refusal,
  head: Head,
  connections: readonly SigningConnection[],
): AcceptedHead | Refusal {
  const limit = findLimit(head, maxBytes, refusal);
  return limit ? { kind: 'accepted', connections, limit } : refusal;
}

/** How many bytes of a throttled request are read, so that they can be kept (decision 20). Null: none. */
export function limitThrottled(
  platform: PlatformWebhook,
  head: Head,
  throttled: Throttled,
): ReadingLimit | null {
  return throttled.noted === 'kept' ? findLimit(head, countKeptBytes(platform, head), throttled) : null;
}

/** Null when the announced length is over the limit. */
function findLimit({ headers }: Head, maxBytes: number, otherwise: WebhookOutcome): ReadingLimit | null {
  const isLonger = Number(headers['content-length'] ?? 0) > maxBytes;
  return maxBytes === 0 || isLonger ? null : { maxBytes, otherwise };
}

/** How many bytes are kept of a request that a later secret may verify: decision 7. */
function countKeptBytes(platform: PlatformWebhook, head: Head): number {
  const { credential } = platform;
  if (credential.kind === 'signature' && credential.expires) return 0;
  return Math.min(countReadableBytes(platform, head), LARGEST_KEPT);
}

/** Passes the body of a delivery on and fails beyond the limit: a chunked body announces no length. */
export function limitReading(
  body: Readable,
  platform: PlatformWebhook,
  { maxBytes, otherwise }: ReadingLimit,
): Readable {
  let received = 0;
  return checkChunks(body, (bytes) => {
    received += bytes;
    return received > maxBytes ? new ReadingLimitError(platform, otherwise) : null;
  });
}

/** The body is longer than the reading limit. */
export class ReadingLimitError extends Error {
  readonly code = 'reading-limit';
  readonly platform: PlatformWebhook;
  readonly outcome: WebhookOutcome;

  constructor(platform: PlatformWebhook, outcome: WebhookOutcome) {
    super('The body is longer than is worth reading.');
    this.platform = platform;
    this.outcome = outcome;
  }
}

type TriedAddress =
  | { readonly kind: 'right' }
  | Extract<
      WebhookOutcome,
      { readonly kind: 'unknown-organisation' | 'refused' | 'throttled' | 'not-recorded' }
    >;

/** Tests whether a delivery to this address would be accepted. Nothing is recorded. */
export async function tryAddress(
  { database }: Pick<HttpPorts, 'database'>,
  platform: PlatformWebhook,
  address: WebhookAddress,
  inbound: InboundDelivery,
): Promise<TriedAddress> {
  try {
    const connections = await whileDatabaseAnswers(
      database,
      address.listConnections(inbound.receivedAt, 'newest'),
    );
    if (connections === null) return { kind: 'unknown-organisation' };
    if (!isSetUp(connections)) return NOT_SET_UP;
    const verification = verifySender(platform, inbound, connections);
    return verification.kind === 'refused' ? verification : { kind: 'right' };
  } catch (error) {
    return { kind: 'not-recorded', error };
  }
}
