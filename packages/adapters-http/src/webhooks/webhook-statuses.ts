import type { WebhookOutcome } from './receive-webhook.ts';

/** What the sender of a webhook is answered. Platforms send again whatever is answered outside of 2xx. */
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
