import { type PlatformWebhook, parseJsonExactly } from '@handover/platform-contract';
import { signedSample } from './testing.ts';
import { translate } from './translate.ts';
import { SIGNATURE_HEADERS, verify } from './verify.ts';

/** FastSpring: a batch of events per delivery, as JSON. */
export const checkoutA: PlatformWebhook = {
  label: 'checkout-a',
  answers: 'after-recording',
  keptHeaders: [],
  credential: { kind: 'signature', headers: SIGNATURE_HEADERS },
  verify,
  parse: parseJsonExactly,
  translate,
  sample: { sign: signedSample, announcesUnpaid: true },
};
