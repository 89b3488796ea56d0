import { isPlatform, type Platform } from '@handover/domain';

export { vendorOf } from '@handover/domain';

/** "SamCart order 901247" for `samcart:901247`; "order 4711" for an id that names no cart. */
export function formatOrderId(orderId: string): string {
  const [, cart = '', id] = /^(samcart|thrivecart|ultracart):(.+)$/s.exec(orderId) ?? [];
  return id === undefined ? `order ${orderId}` : `${CARTS[cart]} order ${id}`;
}

const CARTS: Readonly<Record<string, string>> = {
  samcart: 'SamCart',
  thrivecart: 'ThriveCart',
  ultracart: 'UltraCart',
};

/** What a form says of platforms: all of them, or one. */
export type PlatformChoice =
  | { readonly kind: 'chosen'; readonly platform: Platform | null }
  | { readonly kind: 'unknown'; readonly problem: string };

/** Nothing is all of them. What is neither is of no form of ours, and must not pass for all. */
export function readPlatformChoice(text: string): PlatformChoice {
  if (text === '') return { kind: 'chosen', platform: null };
  if (isPlatform(text)) return { kind: 'chosen', platform: text };
  const problem = `There is no platform “${text.slice(0, 40)}”. Choose one of the list.`;
  return { kind: 'unknown', problem };
}
