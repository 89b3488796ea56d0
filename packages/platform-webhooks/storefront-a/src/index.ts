import { type PlatformWebhook, parseJsonExactly } from '@handover/platform-contract';
import { signedSample } from './testing.ts';
import { TOPIC_HEADERS, translate } from './translate.ts';
import { SIGNATURE_HEADERS, verify } from './verify.ts';

/** Shopify: one bare order per delivery, as JSON. */
export const storefrontA: PlatformWebhook = {
  label: 'storefront-a',
  answers: 'after-fulfilment',
  keptHeaders: TOPIC_HEADERS,
  credential: { kind: 'signature', headers: SIGNATURE_HEADERS },
  verify,
  parse: parseJsonExactly,
  translate,
  sample: { sign: signedSample, announcesUnpaid: true },
};
