import {
  findStart,
  type ParsedBody,
  type PlatformWebhook,
  parseJsonOrForm,
} from '@handover/platform-contract';
import { translate } from './translate.ts';
import { verify } from './verify.ts';

/** SamCart, and by the shape of their bodies ThriveCart and UltraCart: JSON or a form. */
export const cartA: PlatformWebhook = {
  label: 'cart-a',
  answers: 'after-recording',
  keptHeaders: [],
  credential: { kind: 'secret-in-url', parameter: 'secret' },
  // ThriveCart does, before it takes the address.
  triesByHead: true,
  verify,
  parse,
  translate,
};

/** ThriveCart tries an address with an empty body before it accepts it, so nothing is read as an object of nothing. */
export function parse(bytes: Uint8Array): ParsedBody {
  return findStart(bytes) === bytes.length ? { kind: 'parsed', value: {} } : parseJsonOrForm(bytes);
}
