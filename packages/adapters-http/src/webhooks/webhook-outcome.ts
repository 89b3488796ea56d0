import type { WaitingDelivery } from '@handover/domain';
import type { Throttled } from './throttle-refused.ts';

/** What becomes of a request to a webhook. `answer-webhook.ts` answers each. */
export type WebhookOutcome =
  | { readonly kind: 'unknown-organisation' }
  /** The platform only tests the address: it expects 200, and nothing is recorded. */
  | { readonly kind: 'ping' }
  /** `notSetUp`: no secret was there to verify it with, so the refusal says nothing about its sender. */
  | { readonly kind: 'refused'; readonly reason: string; readonly notSetUp?: true }
  | Throttled
  /** Nothing was committed, or the commit is in doubt: the sender must send it again. */
  | { readonly kind: 'not-recorded'; readonly error: unknown }
  | {
      readonly kind: 'unreadable';
      /** Null: it belongs to no organisation. */
      readonly orgId: string | null;
      readonly deliveryId: string | undefined;
      readonly problem: string;
      readonly cause?: unknown;
    }
  | {
      readonly kind: 'recorded';
      readonly orgId: string;
      readonly deliveries: readonly RecordedDelivery[];
      /** Why fulfilment was left to the job; null when it was not. */
      readonly trouble: FulfilmentTrouble | null;
    }
  /**
   * It belongs to no organisation yet. Its orders wait for the service's operator; an event that is not a
   * sale has none.
   */
  | {
      readonly kind: 'unassigned';
      readonly deliveries: readonly RecordedDelivery[];
      readonly reason: string;
    };

/** The status for each outcome. Platforms send again after any status other than 2xx. */
export const WEBHOOK_STATUSES = {
  'unknown-organisation': 404,
  ping: 200,
  refused: 401,
  throttled: 429,
  'not-recorded': 503,
  unreadable: 400,
  recorded: 200,
  unassigned: 200,
} as const satisfies Readonly<Record<WebhookOutcome['kind'], number>>;

/** `reason` is for the log; the sender does not need it. */
export type RecordedDelivery = WaitingDelivery;

/** Why an order was not fulfilled before its answer. */
export type FulfilmentTrouble =
  | { readonly kind: 'too-slow' }
  | { readonly kind: 'failed'; readonly error: unknown };
