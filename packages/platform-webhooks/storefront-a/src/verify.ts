import {
  type HeaderNames,
  type InboundDelivery,
  type SigningConnection,
  type Verification,
  verifyHmac,
} from '@handover/platform-contract';

// https://shopify.dev/docs/apps/build/webhooks/verify-deliveries
// The secret of a merchant-made webhook looks like hex, but its text is the key. There is no timestamp to
// check.
export function verify(inbound: InboundDelivery, connections: readonly SigningConnection[]): Verification {
  return verifyHmac(inbound, connections, { headers: SIGNATURE_HEADERS, encodings: ['base64'] });
}

export const SIGNATURE_HEADERS = spellHeader('hmac-sha256');

/**
 * A header by our neutral name, or else by the vendor's own. The vendor's newer events omit the `X-`
 * prefix. https://shopify.dev/docs/apps/build/events/delivery-structure
 */
export function spellHeader(name: string): HeaderNames {
  return ['storefront-a', 'shopify'].flatMap((sender) => [`x-${sender}-${name}`, `${sender}-${name}`]);
}
