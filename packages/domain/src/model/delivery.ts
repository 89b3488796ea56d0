import type { Candidate, TranslatedEntry } from './order.ts';
import type { Platform } from './platform.ts';

/** The status of an entry of the webhook log. */
export type DeliveryStatus = 'pending' | 'success' | 'error' | 'held' | 'ignored';

/** What a held entry waits for. `products`: a product that can be delivered. `subscription`: a renewed subscription. */
export type HeldFor = 'products' | 'subscription';

/** One entry of the webhook log: an order, or an event that is not an order, of one request. */
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
  /** Why it is not a success: a sentence. */
  readonly reason: string | null;
  /** Further information for the operator: the note from when it was received, then that of the decision. */
  readonly note: string | null;
  readonly traceContext?: TraceContext | null;
  /** A test order that somebody sent from the dashboard. Its purchases are tests as well, and no metric counts them. */
  readonly isTest?: boolean;
}

/** A W3C `traceparent`. It is stored with a delivery, so that jobs of other processes continue its trace. */
export type TraceContext = string;

/** The body of a request, unchanged, and only the headers that translation reads. Never contains a secret. */
export interface DeliveryBody {
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** An entry as the API lists it. */
export interface DeliveryListRow extends Omit<Delivery, 'bodyId' | 'traceContext' | 'isTest'> {
  readonly lines: readonly DeliveryLine[];
}

/** An entry with what is needed to run it again. */
export interface StoredDelivery extends Delivery {
  /** Null once it was removed because of its age: then the entry cannot be run again. */
  readonly body: DeliveryBody | null;
  /** The e-mail address that a person added to an order without one. */
  readonly addedEmail?: string;
  /** How often it has been decided: 0 until the first decision is committed. */
  readonly attempts: number;
}

/**
 * The outcome of one line.
 * `delivered`: this run created the purchase. `already-delivered`: an earlier run did. `held`: the product cannot be
 * delivered yet. `unmatched`: no product is known for it. `not-ours`: an operator ignores its SKU.
 */
export type LineOutcome = 'delivered' | 'already-delivered' | 'held' | 'unmatched' | 'not-ours';

/** One line of an order and its outcome. `productId` is null if it names no product, `purchaseId` if it was not delivered. */
export interface DeliveryLine {
  /**
   * Its position in the order, from 0. After the order's own lines come the purchases that were delivered for a line whose SKU
   * means something else now.
   */
  readonly position: number;
  /** The best candidate of the line, else its title. */
  readonly sku: string;
  /** The kind of the candidate in `sku`; null if the line has no candidate, and `sku` is its title. */
  readonly candidate: Candidate['kind'] | null;
  readonly outcome: LineOutcome;
  readonly reason: string | null;
  readonly productId: string | null;
  readonly purchaseId: string | null;
}

/**
 * What proves the origin of a request whose signature does not cover the body. Anyone who saw a proof could send another body
 * with it, so each connection stores the hash of the body that came with it first.
 */
export interface Proof {
  /** SHA-256 of the proof, 64 hex digits: it identifies the proof, and cannot be replayed. */
  readonly fingerprint: string;
  /** SHA-256 of the body, 64 hex digits. */
  readonly bodySha256: string;
  /** What happens to a request whose proof came before with another body. */
  readonly whenReused:
    | { readonly kind: 'note'; readonly note: string }
    | { readonly kind: 'refuse'; readonly reason: string };
}

/** A verified request, and its translation. */
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
  /** Null if the signature covers the body. */
  readonly proof?: Proof | null;
  readonly traceContext?: TraceContext | null;
  readonly isTest?: boolean;
  /** The rejected request that this was until now. It leaves the rejected ones in the transaction that logs it. */
  readonly rejected?: { readonly id: string; readonly note: string };
}
