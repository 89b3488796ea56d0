import { type PlatformWebhook, parseJsonOrForm } from '@handover/platform-contract';
import { translate } from './translate.ts';
import { verify } from './verify.ts';

export { CONTENT_TEMPLATE } from './content-template.ts';
export { judgeStrictly, REUSED_PAIR } from './judge-strictly.ts';
export { fingerprintPair, readSecurityPair, type SecurityPair } from './security-pair.ts';

/** FastSpring Classic: one order, or one line of it, per delivery, as a form or as the merchant's JSON. */
export const checkoutAClassic: PlatformWebhook = {
  label: 'checkout-a-classic',
  answers: 'after-recording',
  keptHeaders: [],
  verify,
  parse: parseJsonOrForm,
  translate,
};
