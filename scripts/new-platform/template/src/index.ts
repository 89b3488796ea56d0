import { type PlatformWebhook, parseJsonExactly } from '@handover/platform-contract';
import { translate } from './translate.ts';
import { SIGNATURE_HEADERS, verify } from './verify.ts';

/** The vendor's name, and what one delivery holds. */
export const newPlatform: PlatformWebhook = {
  // Once PLATFORMS of the domain has it, the label alone will do.
  label: 'new-platform' as string as PlatformWebhook['label'],
  answers: 'after-recording',
  keptHeaders: [],
  credential: { kind: 'signature', headers: SIGNATURE_HEADERS },
  verify,
  parse: parseJsonExactly,
  translate,
};
