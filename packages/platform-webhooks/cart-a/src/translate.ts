import type { TranslatedEntry, Unreadable } from '@handover/platform-contract';
import { translateSamCart } from './samcart.ts';
import { translateThriveCart } from './thrivecart.ts';
import { translateUltraCart } from './ultracart.ts';

/** The shape of a body alone tells the vendor: all of them post to the same address. */
export function translate(payload: unknown): readonly TranslatedEntry[] | Unreadable {
  if (Array.isArray(payload)) return translateUltraCart(payload);
  if (typeof payload !== 'object' || payload === null) {
    return { kind: 'unreadable', problem: 'The body is neither a JSON object nor a form.' };
  }
  if ('events' in payload && Array.isArray(payload.events)) return translateUltraCart(payload.events);
  if (Object.keys(payload).length === 0) return [{ kind: 'ignored', orderId: null, reason: PROBE }];
  const isThriveCart = THRIVECART_MEMBERS.some((name) => Object.hasOwn(payload, name));
  return [isThriveCart ? translateThriveCart(payload) : translateSamCart(payload)];
}

const PROBE = 'The body is empty: this was only a try of the address.';

const THRIVECART_MEMBERS = ['event', 'order_id', 'thrivecart_account', 'thrivecart_secret'];
