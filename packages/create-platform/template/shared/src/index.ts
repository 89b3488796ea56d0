import { type PlatformWebhook, parseJsonExactly } from '@handover/platform-contract';
import { signedSample } from './testing.ts';
import { translate } from './translate.ts';
import { SIGNATURE_HEADERS, verify } from './verify.ts';

/** The vendor's name, and what one delivery holds. */
export const newPlatform: PlatformWebhook = {
  label: 'new-platform',
  answers: 'after-recording',
  keptHeaders: [],
  credential: { kind: 'signature', headers: SIGNATURE_HEADERS },
  verify,
  parse: parseJsonExactly,
  translate,
  sample: { sign: signedSample, announcesUnpaid: false },
};
