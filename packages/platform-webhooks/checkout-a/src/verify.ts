import {
  type InboundDelivery,
  type SigningConnection,
  type Verification,
  verifyHmac,
} from '@handover/platform-contract';

// https://developer.fastspring.com/reference/message-security
// One signature covers the whole batch. The vendor writes base64; hex is accepted as well, because our own
// name for the header does not name the encoding. There is no timestamp to check.
export function verify(inbound: InboundDelivery, connections: readonly SigningConnection[]): Verification {
  return verifyHmac(inbound, connections, { headers: SIGNATURE_HEADERS, encodings: ['base64', 'hex'] });
}

export const SIGNATURE_HEADERS = ['x-checkout-a-signature', 'x-fs-signature'];
