import type { Connection, Platform, TranslatedEntry } from '@handover/domain';
import type { HeaderNames, InboundHeaders, KeptHeaders } from './headers.ts';
import type { ParsedBody } from './parse-json-exactly.ts';
import type { SampleSale, SignedRequest } from './signed-request.ts';
import type { Refused, Verification } from './verification.ts';

/**
 * One commerce platform as the rest of Handover sees it. All of its functions are pure: bytes, headers, query,
 * secrets and the time of receipt come in as arguments, and no network is reached.
 */
export interface PlatformWebhook {
  /** As it stands in webhook addresses, in lower-case letters, digits and hyphens. */
  readonly label: Platform;
  /** As people know its vendor, for pages and mails. Left out: they read the label. */
  readonly name?: string;
  /** How to send as the vendor would, for `handover simulate` and the test order of the dashboard. Left out: neither can. */
  readonly sample?: SampleSender;
  /** Whether the sender is answered once the order is fulfilled, or as soon as the delivery is recorded. */
  readonly answers: 'after-fulfilment' | 'after-recording';
  /** The headers that `parse` and `translate` read, lower case, and never a signature: they are stored with the body. */
  readonly keptHeaders: HeaderNames;
  /**
   * Whether a request only tries out the address: unsigned, and harmless enough to be answered 200 by anyone, with
   * nothing recorded. Ask `isPing` rather than this. Without it, every unsigned request is refused.
   */
  readonly isPing?: (inbound: Pick<InboundDelivery, 'body' | 'headers'>) => boolean;
  /**
   * Whether the platform tries the address by HEAD, with what verifies its deliveries: answered as one of them would
   * be, and nothing comes of it. Only where a signature is not over the body. Others get 405.
   */
  readonly triesByHead?: true;
  /** What merchants paste as the content of their notifications, where the body is theirs to choose. */
  readonly contentTemplate?: string;
  /** Where a request carries what verifies it. One that does not is refused before its body is read. */
  readonly credential: Credential;
  /**
   * The largest body of a request that carries no credential where its head could, and is read all the same: it may be a
   * ping, or carry its credential in the body. Without it, none is read.
   */
  readonly maxUnsignedBytes?: number;
  /** Where what verifies a request says nothing of its body: how to tell that it was used before. */
  readonly proofOfOrigin?: ProofOfOrigin;
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

/** Without rules, the usual ones hold. */
export type SigningConnection = Pick<Connection, 'id' | 'secrets'> & Partial<Pick<Connection, 'rules'>>;

/** How to send as a platform would. */
export interface SampleSender {
  sign(secret: string, sale: SampleSale): SignedRequest;
  /** Whether the platform also announces orders that are still to be paid. */
  readonly announcesUnpaid: boolean;
}

export type Credential =
  /** Of no use but with what it signs, so it may be stored. */
  | {
      readonly kind: 'signature';
      readonly headers: HeaderNames;
      /** Whether a request without those headers carries it in its body. */
      readonly inBody?: (body: Uint8Array) => boolean;
      /** It holds the time at which it was made, so a refused request can't be tried again later. */
      readonly expires?: true;
    }
  /** The secret itself, in a parameter of the URL's query: it is never stored. */
  | { readonly kind: 'secret-in-url'; readonly parameter: string };

export interface ProofOfOrigin {
  /** 64 hex digits that tell the proof of a verified request from any other; they can't be sent in its place. */
  fingerprint(inbound: InboundDelivery): string | null;
  /** What a strict connection asks besides, of a request and what became of it; null when nothing speaks against it. */
  checkStrictly(inbound: InboundDelivery, entry: TranslatedEntry | undefined, now: Date): Refused | null;
  /** What to say of a proof that came before with another body. */
  readonly reused: { readonly note: string; readonly refusal: Refused };
}

export interface Unreadable {
  readonly kind: 'unreadable';
  /** A sentence for the operator. It never quotes the body. */
  readonly problem: string;
  /** What was thrown, when something was: for the service's own log. */
  readonly cause?: unknown;
}
