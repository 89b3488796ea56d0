import { randomBytes } from 'node:crypto';
import type { SigningConnection } from './platform-webhook.ts';

export type Verification = Verified | Refused;

/** Carries a mark that code outside this file cannot make: the type proves that a secret was found to match. */
export interface Verified {
  readonly kind: 'verified';
  readonly connectionId: string;
  readonly [matchedBySecret]: true;
}

export interface Refused {
  readonly kind: 'refused';
  /** A sentence for the operator. */
  readonly reason: string;
}

declare const matchedBySecret: unique symbol;

/**
 * The connection one of whose secrets `matches`. Blank secrets are never asked: anyone can sign with an empty key.
 * Every other secret is, even after a match, so that the time taken does not tell which one it was. Decoys are asked as
 * well, up to the next power of two: one secret takes as long as the two of a rotation, three as long as four.
 */
export function findSigner(
  connections: readonly SigningConnection[],
  matches: (secret: string) => boolean,
): Verification {
  const candidates = connections.flatMap(({ id, secrets }) =>
    secrets.filter((secret) => secret.trim() !== '').map((secret) => ({ id, secret })),
  );
  if (candidates.length === 0) return refuse('No secret is set up for this platform.');
  const decoys = Array.from({ length: roundUp(candidates.length) - candidates.length }, () => DECOY);
  const matching = [...candidates, ...decoys].filter(({ secret }) => matches(secret));
  const signer = matching.find((candidate) => candidate !== DECOY);
  if (!signer) return refuse('The signature fits none of the secrets that are set up.');
  return { kind: 'verified', connectionId: signer.id } as Verified;
}

/** A secret that nobody knows. */
const DECOY = { id: 'decoy', secret: randomBytes(32).toString('hex') };

function roundUp(count: number): number {
  return 2 ** Math.max(1, Math.ceil(Math.log2(count)));
}

export function refuse(reason: string): Refused {
  return { kind: 'refused', reason };
}
