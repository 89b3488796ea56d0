import type { PlatformWebhook } from '@handover/platform-contract';
import { parse } from './parse.ts';
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
