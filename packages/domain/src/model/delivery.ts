import type { Candidate, TranslatedEntry } from './order.ts';
import type { Platform } from './platform.ts';

/** Where an entry of the webhook log stands. Shown to people capitalised. */
export type DeliveryStatus = 'pending' | 'success' | 'error' | 'held' | 'ignored';

/** `products`: that they can be delivered. `subscription`: that the organisation's is renewed. */
export type HeldFor = 'products' | 'subscription';

/** One entry of the webhook log: one order (or one event that is none) of one inbound request. */
export interface Delivery {
  readonly id: string;
  readonly orgId: string;
  readonly platform: Platform;
  readonly connectionId: string;
  /** Entries of one request share its body. */
  readonly bodyId: string;
  readonly orderId: string | null;
  /** The number that buyer and shop know the order by; null for what is not an order. */
  readonly orderNumber: string | null;
  /** The buyer's address, normalized; null for what is not an order, or has none. */
  readonly normalizedEmail: string | null;
  readonly receivedAt: Date;
  readonly status: DeliveryStatus;
  /** Why it is not a success, in a sentence. */
  readonly reason: string | null;
  /** What the operator may want to know besides: what was noted when it came in, then what the decision says. */
  readonly note: string | null;
  /** See {@link TraceContext}. */
  readonly traceContext?: TraceContext | null;
  /** The installation sent it itself, to try the connection. Its purchases are tests too, and counted nowhere. */
  readonly isTest?: boolean;
}

/**
 * Where in a distributed trace something happened, as W3C's `traceparent`: it is stored with a delivery, so that jobs of other
 * processes continue its trace. Null: nobody traces.
 */
export type TraceContext = string;

/** A request exactly as it came in, with no more headers than translation reads. Never holds a secret. */
export interface DeliveryBody {
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** An entry as the log lists it. */
export interface DeliveryListRow extends Omit<Delivery, 'bodyId' | 'traceContext' | 'isTest'> {
  readonly lines: readonly DeliveryLine[];
}

/** An entry with all that is needed to run it again. */
export interface StoredDelivery extends Delivery {
  /** Null once it was removed for its age: then it cannot be run any more. */
  readonly body: DeliveryBody | null;
  /** What a person added to an order that came without an address: it is delivered there. */
  readonly addedEmail?: string;
  /** How often it has been decided: 0 until the first decision is committed. */
  readonly attempts: number;
}

/**
 * What became of one line.
 * `delivered`: this run made the purchase. `already-delivered`: an earlier one did. `held`: the product cannot be
 * delivered yet. `unmatched`: no product is known for it. `not-ours`: an operator said so.
 */
export type LineOutcome = 'delivered' | 'already-delivered' | 'held' | 'unmatched' | 'not-ours';

/** What became of one line of an order. The ids are null where it names no product, or was not delivered. */
export interface DeliveryLine {
  /**
   * Its place in the order, from 0. After the order's own lines come those of purchases that were delivered under a name
   * which stands for something else by now.
   */
  readonly position: number;
  /** What the platform called the product: the best candidate, else the title. */
  readonly sku: string;
  /** What kind of name `sku` is; null when the line had none, and `sku` is its title. */
  readonly candidate: Candidate['kind'] | null;
  readonly outcome: LineOutcome;
  readonly reason: string | null;
  readonly productId: string | null;
  readonly purchaseId: string | null;
}

/**
 * What a request proved its origin with, where that says nothing of its body: a person who saw one proof could send any
 * body under it. So what came with it first is remembered, for each connection.
 */
export interface Proof {
  /** SHA-256, 64 hex digits: tells proofs apart, and cannot be replayed. */
  readonly fingerprint: string;
  /** SHA-256 of the body, 64 hex digits. */
  readonly bodySha256: string;
  /** What becomes of a request whose proof came before with another body. */
  readonly whenReused:
    | { readonly kind: 'note'; readonly note: string }
    | { readonly kind: 'refuse'; readonly reason: string };
}

/** A verified request, and what its translator made of it. */
export interface ReceivedDelivery {
  readonly orgId: string;
  readonly platform: Platform;
  readonly connectionId: string;
  readonly receivedAt: Date;
  readonly bytes: Uint8Array;
  /** Only the headers that translation reads. */
  readonly headers: Readonly<Record<string, string>>;
  readonly content:
    | { readonly kind: 'translated'; readonly entries: readonly TranslatedEntry[] }
    | { readonly kind: 'unreadable'; readonly problem: string };
  /** Null where the signature is over the body. */
  readonly proof?: Proof | null;
  readonly traceContext?: TraceContext | null;
  readonly isTest?: boolean;
  /** Of a request that was rejected when it came in: it is taken out of the rejected as it goes into the log. */
  readonly rejected?: { readonly id: string; readonly note: string };
}
