import {
  findSigner,
  type InboundDelivery,
  isSameSecret,
  type Refused,
  readSignature,
  refuse,
  type SigningConnection,
  signHmac,
  type Verification,
} from '@handover/platform-contract';

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

/** The vendor signs every retry again, so an old timestamp means a replay or a wrong clock. */
function findObjection(timestamp: number, now: Date): string | null {
  const age = Math.floor(now.getTime() / 1000) - timestamp;
  if (age > TOLERANCE_SECONDS) return 'The signature is more than five minutes old.';
  if (age < -TOLERANCE_SECONDS) return 'The signature is dated more than five minutes ahead of our clock.';
  return null;
}

/** The content of the header `t=<seconds>,v1=<hex>[,v1=<hex>…][,v0=<hex>]`. */
interface SignatureHeader {
  readonly kind: 'signatures';
  /** Seconds since 1970, as written: this text is signed together with the body. */
  readonly timestamp: string;
  /** Two while the secret is rotated: one for each secret. */
  readonly signatures: readonly string[];
}

/**
 * Parses the header strictly: one timestamp, and only complete signatures. Other schemes are ignored,
 * including `v0`, which test mode adds and which proves nothing.
 */
function readSignatureHeader(header: string): SignatureHeader | Refused {
  const parts = header.split(',').map((part) => PART.exec(part));
  if (parts.includes(null)) return refuse(MALFORMED);
  const valuesOf = (scheme: string) => parts.flatMap((part) => (part?.[1] === scheme ? [part[2] ?? ''] : []));
  const [timestamp, ...furtherStamps] = valuesOf('t');
  const signatures = valuesOf('v1');
  if (timestamp === undefined) return refuse('The signature header holds no timestamp.');
  if (furtherStamps.length > 0) return refuse('The signature header holds several timestamps.');
  if (signatures.length === 0) return refuse('The signature header holds no v1 signature.');
  const wellFormed = TIMESTAMP.test(timestamp) && signatures.every((signature) => SIGNATURE.test(signature));
  return wellFormed ? { kind: 'signatures', timestamp, signatures } : refuse(MALFORMED);
}

/** The bytes that are signed, in order. */
export function signedBytes(timestamp: string, body: Uint8Array): readonly Uint8Array[] {
  return [Buffer.from(`${timestamp}.`), body];
}

const MALFORMED = 'The signature is not in the form that this platform uses.';
const PART = /^\s*([A-Za-z0-9_]+)=(\S*)\s*$/;
const TIMESTAMP = /^[1-9]\d{0,11}$/;
const SIGNATURE = /^[0-9a-f]{64}$/;
