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
 * Every other secret is, even after a match, so that the time taken does not tell which one it was.
 */
export function findSigner(
  connections: readonly SigningConnection[],
  matches: (secret: string) => boolean,
): Verification {
  const candidates = connections.flatMap(({ id, secrets }) =>
    secrets.filter((secret) => secret.trim() !== '').map((secret) => ({ id, secret })),
  );
  if (candidates.length === 0) return refuse('No secret is set up for this platform.');
  const [signer] = candidates.filter(({ secret }) => matches(secret));
  if (!signer) return refuse('The signature fits none of the secrets that are set up.');
  return { kind: 'verified', connectionId: signer.id } as Verified;
}

export function refuse(reason: string): Refused {
  return { kind: 'refused', reason };
}
