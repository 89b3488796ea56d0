import { randomBytes } from 'node:crypto';
import type { SigningConnection } from './platform-webhook.ts';

export type Verification = Verified | Refused;

/** Has a brand that only this file can set: the type proves that a secret matched. */
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
 * Finds the connection with a secret that `matches`. Blank secrets are skipped: anyone can sign with an
 * empty key. All other secrets are tried even after a match, so that the time does not reveal which one
 * matched. Decoys fill the list up to the next power of two: one secret takes as long as the two of a
 * rotation, three take as long as four.
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
  const found = matching.find((candidate) => candidate !== DECOY);
  if (!found) return refuse('The signature fits none of the secrets that are set up.');
  return { kind: 'verified', connectionId: found.id } as Verified;
}

/** A random secret. */
const DECOY = { id: 'decoy', secret: randomBytes(32).toString('hex') };

function roundUp(count: number): number {
  return 2 ** Math.max(1, Math.ceil(Math.log2(count)));
}

export function refuse(reason: string): Refused {
  return { kind: 'refused', reason };
}
