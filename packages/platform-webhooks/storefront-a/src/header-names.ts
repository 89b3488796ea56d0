import type { HeaderNames } from '@handover/platform-contract';

/**
 * A header under our neutral name, else under the vendor's own. The vendor's newer events have no `X-` before it.
 * https://shopify.dev/docs/apps/build/events/delivery-structure
 */
export function spellHeader(name: string): HeaderNames {
  return ['storefront-a', 'shopify'].flatMap((sender) => [`x-${sender}-${name}`, `${sender}-${name}`]);
}
