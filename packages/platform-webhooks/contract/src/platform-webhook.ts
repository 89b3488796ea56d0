import type { Connection, Platform, TranslatedEntry } from '@handover/domain';
import type { HeaderNames, InboundHeaders, KeptHeaders } from './headers.ts';
import type { ParsedBody } from './parse-json-exactly.ts';
import type { Verification } from './verification.ts';

/**
 * One commerce platform as the rest of Handover sees it. All of its functions are pure: bytes, headers, query,
 * secrets and the time of receipt come in as arguments, and no network is reached.
 */
export interface PlatformWebhook {
  readonly label: Platform;
  /** Whether the sender is answered once the order is fulfilled, or as soon as the delivery is recorded. */
  readonly answers: 'after-fulfilment' | 'after-recording';
  /** The headers that `parse` and `translate` read, lower case, and never a signature: they are stored with the body. */
  readonly keptHeaders: HeaderNames;
  /**
   * Whether a request only tries out the address: unsigned, and harmless enough to be answered 200 by anyone, with
   * nothing recorded. Ask `isPing` rather than this. Without it, every unsigned request is refused.
   */
  readonly isPing?: (inbound: Pick<InboundDelivery, 'body' | 'headers'>) => boolean;
  /** Only `findSigner` can answer "verified", so no platform can let a delivery in without a matching secret. */
  verify(inbound: InboundDelivery, connections: readonly SigningConnection[], now: Date): Verification;
  parse(body: Uint8Array, headers: KeptHeaders): ParsedBody;
  /** One entry for each event of the payload, in its order. */
  translate(payload: unknown, headers: KeptHeaders): readonly TranslatedEntry[] | Unreadable;
}

export type PlatformWebhooks = Readonly<Partial<Record<Platform, PlatformWebhook>>>;

/** A webhook request, whatever carried it here. */
export interface InboundDelivery {
  readonly platform: Platform;
  /** Exactly the bytes that were received: signatures are over these. */
  readonly body: Uint8Array;
  readonly headers: InboundHeaders;
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly receivedAt: Date;
}

export type SigningConnection = Pick<Connection, 'id' | 'secrets'>;

export interface Unreadable {
  readonly kind: 'unreadable';
  /** A sentence for the operator. It never quotes the body. */
  readonly problem: string;
  /** What was thrown, when something was: for the service's own log. */
  readonly cause?: unknown;
}
