import {
  findStart,
  type ParsedBody,
  type PlatformWebhook,
  parseJsonOrForm,
} from '@handover/platform-contract';
import { signedSample } from './testing.ts';
import { translate } from './translate.ts';
import { verify } from './verify.ts';

/**
 * SamCart, ThriveCart and UltraCart, distinguished by the shape of their bodies: JSON or a form. So `translate` has a file
 * for each of them.
 */
export const cartA: PlatformWebhook = {
  label: 'cart-a',
  answers: 'after-recording',
  keptHeaders: [],
  credential: { kind: 'secret-in-url', parameter: 'secret' },
  // ThriveCart sends HEAD before it accepts the address.
  triesByHead: true,
  verify,
  parse,
  translate,
  sample: { sign: signedSample, announcesUnpaid: false },
};

/**
 * ThriveCart tests an address with an empty body before it accepts it, so an empty body parses to an empty
 * object.
 */
function parse(bytes: Uint8Array): ParsedBody {
  return findStart(bytes) === bytes.length ? { kind: 'parsed', value: {} } : parseJsonOrForm(bytes);
}
