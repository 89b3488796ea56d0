import {
  findSigner,
  type InboundDelivery,
  isSameSecret,
  readSignature,
  refuse,
  type SigningConnection,
  signHmac,
  type Verification,
} from '@handover/platform-contract';
import { readSignatureHeader, signedBytes } from './signature-header.ts';

// https://docs.stripe.com/webhooks#verify-manually
// The key is the whole endpoint secret as text, `whsec_` included.
export function verify(
  inbound: InboundDelivery,
  connections: readonly SigningConnection[],
  now: Date,
): Verification {
  const text = readSignature(inbound.headers, SIGNATURE_HEADERS);
  if (typeof text !== 'string') return text;
  const header = readSignatureHeader(text);
  if (header.kind === 'refused') return header;
  const signed = signedBytes(header.timestamp, inbound.body);
  const verification = findSigner(connections, (secret) => {
    const expected = signHmac(secret, signed, 'hex');
    return header.signatures.filter((signature) => isSameSecret(signature, expected)).length > 0;
  });
  if (verification.kind === 'refused') return verification;
  const objection = findObjection(Number(header.timestamp), now);
  return objection === null ? verification : refuse(objection);
}

export const SIGNATURE_HEADERS = ['payments-a-signature', 'stripe-signature'];

const TOLERANCE_SECONDS = 300;

/** Every retry is signed anew, so an old stamp is a recording played back, or a clock that goes wrong. */
function findObjection(timestamp: number, now: Date): string | null {
  const age = Math.floor(now.getTime() / 1000) - timestamp;
  if (age > TOLERANCE_SECONDS) return 'The signature is more than five minutes old.';
  if (age < -TOLERANCE_SECONDS) return 'The signature is dated more than five minutes ahead of our clock.';
  return null;
}
