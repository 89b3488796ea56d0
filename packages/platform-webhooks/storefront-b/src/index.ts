import { type PlatformWebhook, parseJsonExactly } from '@handover/platform-contract';
import { signedSample } from './testing.ts';
import { TOPIC_HEADERS, translate } from './translate.ts';
import { isSavePing, MAX_PING_BYTES, SIGNATURE_HEADERS, verify } from './verify.ts';

/**
 * WooCommerce: one bare order per delivery, as JSON, and an unsigned ping whenever a webhook is first saved.
 */
export const storefrontB: PlatformWebhook = {
  label: 'storefront-b',
  answers: 'after-fulfilment',
  keptHeaders: TOPIC_HEADERS,
  credential: { kind: 'signature', headers: SIGNATURE_HEADERS },
  isPing: isSavePing,
  maxUnsignedBytes: MAX_PING_BYTES,
  verify,
  parse: parseJsonExactly,
  translate,
  sample: { sign: signedSample, announcesUnpaid: true },
};
