import {
  type InboundDelivery,
  refuse,
  type SigningConnection,
  type Verification,
} from '@handover/platform-contract';

// Link the vendor's page about signatures here, and say what is odd about them.
export function verify(_inbound: InboundDelivery, _connections: readonly SigningConnection[]): Verification {
  return refuse(
    'No signature is checked yet. In src/verify.ts, return verifyHmac(inbound, connections, …) if it is an HMAC of ' +
      'the body, or findSigner(connections, …) if it is something else.',
  );
}

/** Our neutral name in lower case, then the vendor's own. */
export const SIGNATURE_HEADERS = ['x-new-platform-signature'];
