import { newSession, type OpenSignIn, type SignInRecord } from '../model/sign-in.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Stores } from '../ports/stores.ts';
import type { SessionTokens, SignInTokens } from '../ports/tokens.ts';
import { logRefusedSignIn, logSignIn, type SignInLogPorts, type SignInRefusal } from './log-sign-in.ts';

/**
 * The link does not sign anyone in. People are not told why. `unknown`: the link is not ours, or was pruned, so no
 * organisation gets an entry. `userId`: the user that the link was for.
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
 * where: a link that is spent is a sign-in refused, and has its entry in the activity log, except with `log: false` (a HEAD request).
 */
export async function lookAtSignIn(
  ports: RedeemPorts,
  token: string,
  client: string,
  { log = true }: { readonly log?: boolean } = {},
): Promise<{ readonly kind: 'open'; readonly signIn: OpenSignIn } | SpentSignIn> {
  const id = ports.signInTokens.open(token);
  if (id === null) return UNKNOWN;
  const signIn = await ports.signIns.findOpen(id, ports.clock.now());
  if (signIn) return { kind: 'open', signIn };
  return ports.inTransaction((stores) => refuse({ ...ports, ...stores }, id, client, log));
}

/**
 * `confirmed`: the browser was signed in as the same user, and stays so. `returnTo`: the page on which the link was asked
 * for; null: the first page. `deviceToken` is to be kept by the browser, so that it is known again.
 */
export type RedeemSignInResult =
  | ({
      readonly returnTo: string | null;
      readonly deviceToken: string;
    } & ({ readonly kind: 'signed-in'; readonly sessionToken: string } | { readonly kind: 'confirmed' }))
  | SpentSignIn;

/** What a browser holds of earlier sign-ins. */
export interface PresentedTokens {
  readonly session: string | null;
  readonly device: string | null;
}

/**
 * Uses a one-time link and starts a session. Only the first use succeeds. Success and refusal both have an entry in the
 * activity log of the user's organisation. In a browser that is new to the user, the user is told by a mail.
 */
export async function redeemSignIn(
  ports: RedeemPorts & { readonly sessionTokens: SessionTokens },
  token: string,
  client: string,
  presented: PresentedTokens = { session: null, device: null },
): Promise<RedeemSignInResult> {
  const id = ports.signInTokens.open(token);
  if (id === null) return UNKNOWN;
  const { token: sessionToken, hash } = ports.sessionTokens.mint();
  const session = newSession(hash, client, ports.clock.now());
  const present = presented.session === null ? null : ports.sessionTokens.hash(presented.session);
  return ports.inTransaction(async (stores) => {
    const within = { ...ports, ...stores };
    const outcome = await stores.signIns.redeem(id, session, present);
    const record = outcome === 'too-late' ? null : await stores.signIns.find(id);
    if (outcome === 'too-late' || record === null) return refuse(within, id, client);
    const isConfirmed = outcome === 'confirmed';
    await logSignIn(within, record.user, client, isConfirmed ? 'confirmed the sign-in' : 'signed in');
    const deviceToken = await recordDevice(within, record.user.id, client, presented.device);
    const { returnTo } = record;
    return isConfirmed
      ? { kind: 'confirmed', returnTo, deviceToken }
      : { kind: 'signed-in', sessionToken, returnTo, deviceToken };
  });
}

/** Records the browser of a sign-in, and answers with the token that it is to keep. */
export async function recordDevice(
  { sessionTokens, devices, ids, clock }: DevicePorts,
  userId: string,
  client: string,
  presented: string | null,
): Promise<string> {
  const known = presented === null ? null : sessionTokens.hash(presented);
  const device =
    presented !== null && known !== null ? { token: presented, hash: known } : sessionTokens.mint();
  await devices.see(userId, { id: ids.next(), hash: device.hash, client, at: clock.now() });
  return device.token;
}

interface DevicePorts extends Pick<Stores, 'devices'> {
  readonly sessionTokens: SessionTokens;
  readonly ids: Ids;
  readonly clock: Clock;
}

const UNKNOWN: SpentSignIn = { kind: 'spent', refusal: 'unknown', userId: null };

async function refuse(
  ports: Omit<SignInLogPorts, 'inTransaction'> & Stores,
  signInId: string,
  client: string,
  log = true,
): Promise<SpentSignIn> {
  const signIn = await ports.signIns.find(signInId);
  if (!signIn) return UNKNOWN;
  const refusal = explainSpent(signIn);
  if (log) await logRefusedSignIn(ports, signIn.user, refusal, client);
  return { kind: 'spent', refusal, userId: signIn.user.id };
}

/** Why a sign-in that is not open lets nobody in. */
function explainSpent({ redeemed, withdrawn }: SignInRecord): SignInRefusal {
  if (redeemed) return 'used';
  return withdrawn ? 'withdrawn' : 'expired';
}
