import {
  type Connection,
  createPlatforms,
  type Platform,
  type Platforms,
  type TranslatedEntry,
} from '@handover/domain';
import type { HeaderNames, InboundHeaders, KeptHeaders } from './headers.ts';
import type { ParsedBody } from './parse-json-exactly.ts';
import type { SampleSale, SignedRequest } from './sample-request.ts';
import type { Refused, Verification } from './verification.ts';

/**
 * One commerce platform as the rest of Handover sees it. All of its functions are pure: bytes, headers,
 * query, secrets and the time of receipt are arguments, and no function uses the network.
 */
export interface PlatformWebhook {
  /** As it stands in webhook addresses, in lower-case letters, digits and hyphens. */
  readonly label: Platform;
  /** As people know its vendor, for pages and mails. Left out: they read the label. */
  readonly name?: string;
  /** How to send as the vendor would, for `handover simulate` and the test order of the dashboard. Left out: neither can. */
  readonly sample?: SampleSender;
  /**
   * Whether the sender gets its answer once the order is fulfilled, or as soon as the delivery is recorded.
   */
  readonly answers: 'after-fulfilment' | 'after-recording';
  /**
   * The headers that `parse` and `translate` read, in lower case, and never a signature: they are stored
   * with the body.
   */
  readonly keptHeaders: HeaderNames;
  /**
   * Whether a request only tests the address: it is unsigned, and harmless to answer with 200, because
   * nothing is recorded. Call `isPing` instead of this function. Without it, every unsigned request is
   * refused.
   */
  readonly isPing?: (inbound: Pick<InboundDelivery, 'body' | 'headers'>) => boolean;
  /**
   * Whether the platform tests the address with HEAD and its usual credential. The answer is the one that a
   * delivery would get, but nothing is recorded. Possible only where the signature does not cover the body.
   * Other platforms get 405.
   */
  readonly triesByHead?: true;
  /** The template that merchants paste as the content of their notifications, where they choose the body. */
  readonly contentTemplate?: string;
  /** Where a request carries its credential. A request without one is refused before its body is read. */
  readonly credential: Credential;
  /**
   * The maximum body size of a request without a credential in its head that is still read: it may be a
   * ping, or carry its credential in the body. Without this member, no such body is read.
   */
  readonly maxUnsignedBytes?: number;
  /** For platforms whose credential does not cover the body: how to detect its reuse. */
  readonly proofOfOrigin?: ProofOfOrigin;
  /**
   * Only `findSigner` can return "verified", so no platform can accept a delivery without a matching
   * secret.
   */
  verify(inbound: InboundDelivery, connections: readonly SigningConnection[], now: Date): Verification;
  parse(body: Uint8Array, headers: KeptHeaders): ParsedBody;
  /** One entry for each event of the payload, in order. */
  translate(payload: unknown, headers: KeptHeaders): readonly TranslatedEntry[] | Unreadable;
}

/** The platforms of an installation, by label. */
export type PlatformWebhooks = Readonly<Partial<Record<Platform, PlatformWebhook>>>;

/** A webhook request, independent of its transport. */
export interface InboundDelivery {
  readonly platform: Platform;
  /** The raw bytes as received: signatures cover these. */
  readonly body: Uint8Array;
  readonly headers: InboundHeaders;
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly receivedAt: Date;
}

/** Without rules, the default rules apply. */
export type SigningConnection = Pick<Connection, 'id' | 'secrets'> & Partial<Pick<Connection, 'rules'>>;

/** How to send as a platform would. */
export interface SampleSender {
  sign(secret: string, sale: SampleSale): SignedRequest;
  /** Whether the platform also announces orders that are still to be paid. */
  readonly announcesUnpaid: boolean;
}

/** How requests of a platform show where they come from, and so what of them may be stored. */
export type Credential =
  /** Useless without the body that it signs, so it may be stored. */
  | {
      readonly kind: 'signature';
      readonly headers: HeaderNames;
      /** Whether a request without those headers carries the credential in its body. */
      readonly inBody?: (body: Uint8Array) => boolean;
      /** The signature covers its creation time, so a refused request cannot be verified again later. */
      readonly expires?: true;
    }
  /** The secret itself, in a query parameter of the URL: it is never stored. */
  | { readonly kind: 'secret-in-url'; readonly parameter: string };

/** What identifies requests of a platform whose signature does not cover the body. */
export interface ProofOfOrigin {
  /** 64 hex digits that identify the proof of a verified request; the proof cannot be derived from them. */
  fingerprint(inbound: InboundDelivery): string | null;
  /** The additional checks of a strict connection on a request and its entry; null when it passes them. */
  checkStrictly(inbound: InboundDelivery, entry: TranslatedEntry | undefined, now: Date): Refused | null;
  /** The messages for a proof that arrived before with another body. */
  readonly reused: { readonly note: string; readonly refusal: Refused };
}

/** Why a body or a part of it cannot be read. */
export interface Unreadable {
  readonly kind: 'unreadable';
  /** A sentence for the operator. It never quotes the body. */
  readonly problem: string;
  /** The error that was thrown, if any: for the service's own log. */
  readonly cause?: unknown;
}

/** The platforms of a service that receives these, as its pages, mails and commands name them. */
export function describePlatforms(webhooks: readonly PlatformWebhook[]): Platforms {
  return createPlatforms(
    webhooks.map(({ label, name = label, credential }) => ({
      label,
      name,
      hasSecretInUrl: credential.kind === 'secret-in-url',
    })),
  );
}
