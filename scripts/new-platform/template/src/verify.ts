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
