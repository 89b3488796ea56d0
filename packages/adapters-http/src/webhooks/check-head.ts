import {
  countReadableBytes,
  type InboundDelivery,
  type PlatformWebhook,
  type SigningConnection,
  verifySender,
} from '@handover/platform-contract';
import { whileDatabaseAnswers } from '../database-answers.ts';
import { LARGEST_KEPT } from './note-rejection.ts';
import type { WebhookOutcome, WebhookPorts } from './receive-webhook.ts';
import type { Throttled } from './throttle-refused.ts';
import { isSetUp, NOT_SET_UP, type WebhookAddress } from './webhook-address.ts';

type Refusal = Extract<WebhookOutcome, { readonly kind: 'refused' }>;
type Head = Omit<InboundDelivery, 'body'>;

/** A request whose body is worth reading. */
export interface AcceptedHead {
  readonly kind: 'accepted';
  readonly signers: readonly SigningConnection[];
  /** Null: all that the address takes. */
  readonly limit: ReadingLimit | null;
}

export interface ReadingLimit {
  readonly maxBytes: number;
  /** What becomes of a request that has more. */
  readonly otherwise: WebhookOutcome;
}

/** Decides by address, headers and query alone whether the body of a delivery is read. */
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
    const listed = address.listSigners(head.receivedAt, seen);
    return decideHead(platform, head, await whileDatabaseAnswers(database, listed, timer));
  };
  try {
    if (isCheckedByRules(platform)) return await decide('newest');
    const decided = await decide('recent');
    return decided.kind === 'accepted' && decided.limit === null ? decided : await decide('newest');
  } catch (error) {
    return { kind: 'not-recorded', error };
  }
}

/** A connection that has just been set strict must not take what it would refuse. */
function isCheckedByRules({ proofOfOrigin }: PlatformWebhook): boolean {
  return proofOfOrigin !== undefined;
}

function decideHead(
  platform: PlatformWebhook,
  head: Head,
  signers: readonly SigningConnection[] | null,
): AcceptedHead | Extract<WebhookOutcome, { readonly kind: 'unknown-organisation' | 'refused' }> {
  if (signers === null) return { kind: 'unknown-organisation' };
  if (!isSetUp(signers)) return acceptUpTo(countKeptBytes(platform, head), NOT_SET_UP, head, signers);
  const maxBytes = countReadableBytes(platform, head);
  if (maxBytes === Number.POSITIVE_INFINITY) return { kind: 'accepted', signers, limit: null };
  // Its own words for what is missing.
  const refusal = verifySender(platform, { ...head, body: new Uint8Array() }, signers);
  return refusal.kind === 'refused'
    ? acceptUpTo(maxBytes, refusal, head, signers)
    : { kind: 'accepted', signers, limit: null };
}

function acceptUpTo(
  maxBytes: number,
  refusal: Refusal,
  head: Head,
  signers: readonly SigningConnection[],
): AcceptedHead | Refusal {
  const limit = findLimit(head, maxBytes, refusal);
  return limit ? { kind: 'accepted', signers, limit } : refusal;
}

/** How much is read of a request that is throttled: what is kept of it (decision 20). Null: nothing. */
export function limitThrottled(
  platform: PlatformWebhook,
  head: Head,
  throttled: Throttled,
): ReadingLimit | null {
  return throttled.noted === 'kept' ? findLimit(head, countKeptBytes(platform, head), throttled) : null;
}

/** Null for a body that is known to be longer. */
function findLimit({ headers }: Head, maxBytes: number, otherwise: WebhookOutcome): ReadingLimit | null {
  const isLonger = Number(headers['content-length'] ?? 0) > maxBytes;
  return maxBytes === 0 || isLonger ? null : { maxBytes, otherwise };
}

/** Of what can be verified later, so much is kept until it is: decision 7. */
function countKeptBytes(platform: PlatformWebhook, head: Head): number {
  const { credential } = platform;
  if (credential.kind === 'signature' && credential.expires) return 0;
  return Math.min(countReadableBytes(platform, head), LARGEST_KEPT);
}
