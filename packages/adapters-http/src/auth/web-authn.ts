import type { Passkey } from '@handover/domain';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/**
 * What WebAuthn calls this site. A passkey belongs to the host of SITE_URL, and answers to its origin alone. Each
 * function loads the library, so that a start does not wait for it.
 */
export interface WebAuthnSite {
  readonly rpID: string;
  readonly origin: string;
}

export function webAuthnSite(siteUrl: string): WebAuthnSite {
  const { hostname, origin } = new URL(siteUrl);
  return { rpID: hostname, origin };
}

/** Options for a new passkey: one that knows its user, and asks for a fingerprint, a face or a PIN. */
export async function registrationOptions(
  { rpID }: WebAuthnSite,
  user: { readonly userId: string; readonly email: string; readonly name: string | null },
  existing: readonly Passkey[],
) {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  return generateRegistrationOptions({
    rpName: 'Handover',
    rpID,
    userID: new TextEncoder().encode(user.userId),
    userName: user.email,
    userDisplayName: user.name ?? user.email,
    excludeCredentials: existing.map(({ id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Options for a sign-in with whatever passkey the browser has for this site. */
export async function signInOptions({ rpID }: WebAuthnSite) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  return generateAuthenticationOptions({ rpID, userVerification: 'required' });
}

/** What the challenge of an answer is; null for an answer that is not WebAuthn's. It proves nothing yet. */
export function challengeOf(answer: unknown): string | null {
  if (!isAnswer<AuthenticationResponseJSON>(answer)) return null;
  try {
    const clientData: unknown = JSON.parse(
      Buffer.from(answer.response.clientDataJSON, 'base64url').toString(),
    );
    const challenge = isRecord(clientData) ? clientData.challenge : null;
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** Whether it has what we read of an answer ourselves. The library checks all the rest. */
function isAnswer<Answer extends AuthenticationResponseJSON | RegistrationResponseJSON>(
  answer: unknown,
): answer is Answer {
  if (!isRecord(answer) || typeof answer.id !== 'string' || !isRecord(answer.response)) return false;
  return typeof answer.response.clientDataJSON === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The new passkey of a registration that is genuine; null for any other. */
export async function verifyRegistration({ rpID, origin }: WebAuthnSite, answer: unknown, challenge: string) {
  if (!isAnswer<RegistrationResponseJSON>(answer)) return null;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const verified = await verifyRegistrationResponse({
    response: answer,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.verified || !verified.registrationInfo) return null;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports };
}

/** The counter of a signature that is genuine; null for any other. */
export async function verifySignature(
  { rpID, origin }: WebAuthnSite,
  answer: unknown,
  challenge: string,
  passkey: Passkey,
): Promise<number | null> {
  if (!isAnswer<AuthenticationResponseJSON>(answer)) return null;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const verified = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(() => null);
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
}
