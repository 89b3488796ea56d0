import type { Readable } from 'node:stream';
import type { PlatformWebhook } from '@handover/platform-contract';
import { checkChunks } from '../requests/check-chunks.ts';
import type { ReadingLimit } from './check-head.ts';
import type { WebhookOutcome } from './receive-webhook.ts';

/** A body went on for longer than is worth reading of it. */
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

/** The body of a delivery, failing where it goes beyond the limit: its length may not have been announced. */
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
