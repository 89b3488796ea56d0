import { type PlatformWebhook, parseJsonOrForm } from '@handover/platform-contract';
import { CONTENT_TEMPLATE } from './payload.ts';
import { signedSample } from './testing.ts';
import { translate } from './translate.ts';
import { hasPairInForm, PAIR_HEADERS, proofOfPair, verify } from './verify.ts';

export { CONTENT_TEMPLATE } from './payload.ts';

/** FastSpring Classic: one order, or one line of it, per delivery, as a form or as the merchant's JSON. */
export const checkoutAClassic: PlatformWebhook = {
  label: 'checkout-a-classic',
  answers: 'after-recording',
  keptHeaders: [],
  credential: { kind: 'signature', headers: PAIR_HEADERS, inBody: hasPairInForm },
  // A form with the security pair: an order in the vendor's fields takes a few kilobytes, and a form with a
  // thousand fields still less than this.
  maxUnsignedBytes: 256 * 1024,
  proofOfOrigin: proofOfPair,
  contentTemplate: CONTENT_TEMPLATE,
  verify,
  parse: parseJsonOrForm,
  translate,
  sample: { sign: signedSample, announcesUnpaid: true },
};
