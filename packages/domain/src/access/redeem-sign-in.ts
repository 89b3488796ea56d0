import { type OpenSignIn, type SignInRecord, sessionExpiry } from '../model/sign-in.ts';
import type { SessionTokens, SignInTokens } from '../ports/access.ts';
import type { Stores } from '../ports/stores.ts';
import { logRefusedSignIn, logSignIn, type SignInLogPorts, type SignInRefusal } from './log-sign-in.ts';

/**
 * The link lets nobody in. People are not told why. `unknown`: it is none of ours, or so old that it was forgotten, so
 * no organisation has an entry of it. `userId` is that of the user it was for.
 */
export interface SpentSignIn {
  readonly kind: 'spent';
  readonly refusal: SignInRefusal | 'unknown';
  readonly userId: string | null;
}

interface RedeemPorts extends SignInLogPorts, Pick<Stores, 'signIns'> {
  readonly signInTokens: SignInTokens;
}

/**
 * The sign-in behind a link, which looking at does not use up. `client` says in few words which browser asks, and from
 * where: a link that is spent is a sign-in refused, and has its entry in the activity log.
 */
export async function lookAtSignIn(
  ports: RedeemPorts,
  token: string,
  client: string,
): Promise<{ readonly kind: 'open'; readonly signIn: OpenSignIn } | SpentSignIn> {
  const id = ports.signInTokens.open(token);
  if (id === null) return UNKNOWN;
  const signIn = await ports.signIns.findOpen(id, ports.clock.now());
  if (signIn) return { kind: 'open', signIn };
  return ports.inTransaction((stores) => refuse({ ...ports, ...stores }, id, client));
}

export type RedeemSignInResult = { readonly kind: 'signed-in'; readonly sessionToken: string } | SpentSignIn;

/**
 * Uses up a one-time link and begins a session. Only the first to come gets in. Either end has its entry in the activity
 * log of the user's organisation.
 */
export async function redeemSignIn(
  ports: RedeemPorts & { readonly sessionTokens: SessionTokens },
  token: string,
  client: string,
): Promise<RedeemSignInResult> {
  const id = ports.signInTokens.open(token);
  if (id === null) return UNKNOWN;
  const { token: sessionToken, hash } = ports.sessionTokens.mint();
  const now = ports.clock.now();
  const session = { hash, createdAt: now, expiresAt: sessionExpiry(now, now) };
  return ports.inTransaction(async (stores) => {
    const within = { ...ports, ...stores };
    if ((await stores.signIns.redeem(id, session)) === 'too-late') return refuse(within, id, client);
    const redeemed = await stores.signIns.find(id);
    if (redeemed) await logSignIn(within, redeemed.user, client);
    return { kind: 'signed-in', sessionToken };
  });
}

const UNKNOWN: SpentSignIn = { kind: 'spent', refusal: 'unknown', userId: null };

async function refuse(
  ports: Omit<SignInLogPorts, 'inTransaction'> & Stores,
  signInId: string,
  client: string,
): Promise<SpentSignIn> {
  const signIn = await ports.signIns.find(signInId);
  if (!signIn) return UNKNOWN;
  const refusal = explainSpent(signIn);
  await logRefusedSignIn(ports, signIn.user, refusal, client);
  return { kind: 'spent', refusal, userId: signIn.user.id };
}

/** Why a sign-in that is not open lets nobody in. */
function explainSpent({ redeemed, withdrawn }: SignInRecord): SignInRefusal {
  if (redeemed) return 'used';
  return withdrawn ? 'withdrawn' : 'expired';
}
