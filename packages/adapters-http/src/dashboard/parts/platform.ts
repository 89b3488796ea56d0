import type { Platform, Platforms } from '@handover/domain';

/** "SamCart order 901247" for `samcart:901247`; "order 4711" for an id without a cart's prefix. */
export function formatOrderId(orderId: string): string {
  const [, cart = '', id] = /^(samcart|thrivecart|ultracart):(.+)$/s.exec(orderId) ?? [];
  return id === undefined ? `order ${orderId}` : `${CARTS[cart]} order ${id}`;
}

const CARTS: Readonly<Record<string, string>> = {
  samcart: 'SamCart',
  thrivecart: 'ThriveCart',
  ultracart: 'UltraCart',
};

/** The platform field of a form: all platforms, or one. */
export type PlatformChoice =
  | { readonly kind: 'chosen'; readonly platform: Platform | null }
  | { readonly kind: 'unknown'; readonly problem: string };

/** An empty value means all. An unknown value is invalid, and must not count as all. */
export function readPlatformChoice(platforms: Platforms, text: string): PlatformChoice {
  if (text === '') return { kind: 'chosen', platform: null };
  if (platforms.has(text)) return { kind: 'chosen', platform: text };
  const problem = `There is no platform “${text.slice(0, 40)}”. Choose one of the list.`;
  return { kind: 'unknown', problem };
}
