import { type PlatformWebhook, parseJsonOrForm } from '@handover/platform-contract';
import { CONTENT_TEMPLATE } from './content-template.ts';
import { proofOfPair } from './proof-of-pair.ts';
import { hasPairInForm, PAIR_HEADERS } from './security-pair.ts';
import { translate } from './translate.ts';
import { verify } from './verify.ts';

export { CONTENT_TEMPLATE } from './content-template.ts';

/** FastSpring Classic: one order, or one line of it, per delivery, as a form or as the merchant's JSON. */
export const checkoutAClassic: PlatformWebhook = {
  label: 'checkout-a-classic',
  answers: 'after-recording',
  keptHeaders: [],
  credential: { kind: 'signature', headers: PAIR_HEADERS, inBody: hasPairInForm },
  proofOfOrigin: proofOfPair,
  contentTemplate: CONTENT_TEMPLATE,
  verify,
  parse: parseJsonOrForm,
  translate,
};
