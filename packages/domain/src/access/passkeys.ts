import { CHALLENGE_LIFETIME_MS, MAX_PASSKEYS_PER_USER, type Passkey } from '../model/passkey.ts';
import { newSession } from '../model/sign-in.ts';
import { type InvalidInput, readName } from '../model/validation.ts';
import type { Clock } from '../ports/clock.ts';
import type { Stores } from '../ports/stores.ts';
import type { SessionTokens } from '../ports/tokens.ts';
import type { SignInLogPorts } from './log-sign-in.ts';
import { completeSignIn, type PresentedTokens, type RedeemSignInResult } from './redeem-sign-in.ts';
import { throttle } from './throttle.ts';

interface ChallengePorts extends Pick<Stores, 'passkeys' | 'throttles'> {
  readonly clock: Clock;
}

/** Stores a random challenge of the caller for one use. `too-often`: nothing is stored. */
export async function keepPasskeyChallenge(
  ports: ChallengePorts,
  challenge: { readonly challenge: string; readonly userId: string | null; readonly network: string },
): Promise<'kept' | 'too-often'> {
  if (await throttle(ports, 'passkeysPerNetwork', challenge.network)) return 'too-often';
  const expiresAt = new Date(ports.clock.now().getTime() + CHALLENGE_LIFETIME_MS);
  const { challenge: text, userId } = challenge;
  await ports.passkeys.addChallenge({ challenge: text, userId, expiresAt });
  return 'kept';
}

type AddPasskeyResult = { readonly kind: 'added' } | InvalidInput;

/** Adds a passkey whose registration was verified, with the name that its user typed. */
export async function addPasskey(
  { passkeys, clock }: Pick<Stores, 'passkeys'> & { readonly clock: Clock },
  typedName: string,
  verified: Pick<Passkey, 'id' | 'userId' | 'publicKey' | 'counter' | 'transports'>,
): Promise<AddPasskeyResult> {
  const name = readName('name', typedName);
  if (name.kind === 'invalid') return name;
  const passkey = { ...verified, name: name.value, createdAt: clock.now(), lastUsedAt: null };
  const outcome = await passkeys.add(passkey);
  return outcome === 'added'
    ? { kind: 'added' }
    : { kind: 'invalid', field: 'passkey', problem: PROBLEMS[outcome] };
}

const PROBLEMS = {
  known: 'is registered already',
  'too-many': `cannot be added: you have ${MAX_PASSKEYS_PER_USER}. Remove one first`,
  'unknown-user': 'cannot be added: this user is gone',
} as const;

type PasskeySignInResult =
  | Exclude<RedeemSignInResult, { readonly kind: 'spent' }>
  /** The passkey was removed, or its counter shows that it was copied. */
  | { readonly kind: 'refused' };

/**
 * Starts a session for a passkey whose signature was verified, or confirms the session of the browser. As with a mailed link,
 * it has an entry in the activity log, and a new browser is reported.
 */
export async function signInWithPasskey(
  ports: SignInLogPorts & { readonly sessionTokens: SessionTokens },
  {
    id,
    counter,
    returnTo,
  }: { readonly id: string; readonly counter: number; readonly returnTo: string | null },
  client: string,
  presented: PresentedTokens,
): Promise<PasskeySignInResult> {
  const { token: sessionToken, hash } = ports.sessionTokens.mint();
  const at = ports.clock.now();
  const present = presented.session === null ? null : ports.sessionTokens.hash(presented.session);
  return ports.inTransaction(async (stores) => {
    const within = { ...ports, ...stores };
    const userId = await stores.passkeys.use(id, { counter, at });
    const user = userId === null ? null : await stores.users.find({ id: userId });
    if (!user) return { kind: 'refused' };
    const outcome = await stores.userSessions.begin(user.id, newSession(hash, client, at), present);
    if (outcome === 'unknown-user') return { kind: 'refused' };
    const organisation = user.membership && (await stores.organisations.find(user.membership.orgId));
    const orgId = organisation?.id ?? null;
    const subscriptionExpiresAt = organisation?.subscriptionExpiresAt ?? null;
    const isConfirmed = outcome === 'confirmed';
    return completeSignIn(
      within,
      { id: user.id, email: user.email, orgId, subscriptionExpiresAt },
      { isConfirmed, sessionToken, returnTo, client, presented },
    );
  });
}
