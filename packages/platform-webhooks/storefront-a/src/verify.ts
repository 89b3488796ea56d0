import {
  type InboundDelivery,
  type SigningConnection,
  type Verification,
  verifyHmac,
} from '@handover/platform-contract';
import { spellHeader } from './header-names.ts';

// https://shopify.dev/docs/apps/build/webhooks/verify-deliveries
// The secret of a merchant-made webhook looks like hex, but is the key as it stands. There is no timestamp to check.
export function verify(inbound: InboundDelivery, connections: readonly SigningConnection[]): Verification {
  return verifyHmac(inbound, connections, { headers: SIGNATURE_HEADERS, encodings: ['base64'] });
}

export const SIGNATURE_HEADERS = spellHeader('hmac-sha256');
