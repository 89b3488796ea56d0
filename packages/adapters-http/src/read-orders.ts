import type {
  OrderReader,
  RejectedDelivery,
  RejectedReader,
  SecretFingerprints,
  TranslatedOrder,
} from '@handover/domain';
import {
  createOrderReader,
  createRejectedReader,
  type PlatformWebhooks,
  readUnverified,
} from '@handover/platform-contract';
import type { HttpOptions } from './http-ports.ts';

type Options = Pick<HttpOptions, 'platforms' | 'sharedPlatform'>;

/** Reads orders from stored deliveries of every platform that the app accepts. */
export function createReaderOfAll(options: Options): OrderReader {
  return createOrderReader(byLabel(options));
}

/** Reads rejected requests of every platform with the secrets that are set now. */
export function createRejectedReaderOfAll(
  options: Options,
  secretFingerprints: SecretFingerprints,
): RejectedReader {
  return createRejectedReader(byLabel(options), secretFingerprints);
}

/** What a rejected request says of its first order, which nobody verified. */
export function peekIntoRejected(options: Options, rejected: RejectedDelivery): TranslatedOrder | null {
  const platform = byLabel(options)[rejected.platform];
  return (platform && readUnverified(platform, rejected)[0]) ?? null;
}

function byLabel({ platforms, sharedPlatform }: Options): PlatformWebhooks {
  return Object.fromEntries(
    [...platforms, sharedPlatform.webhook].map((platform) => [platform.label, platform]),
  );
}
