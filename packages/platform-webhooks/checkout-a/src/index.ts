import { type PlatformWebhook, parseJsonExactly } from '@handover/platform-contract';
import { translate } from './translate.ts';
import { verify } from './verify.ts';

/** FastSpring: a batch of events per delivery, as JSON. */
export const checkoutA: PlatformWebhook = {
  label: 'checkout-a',
  answers: 'after-recording',
  keptHeaders: [],
  verify,
  parse: parseJsonExactly,
  translate,
};
