import { newSession, type OpenSignIn, type SignInRecord } from '../model/sign-in.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Stores } from '../ports/stores.ts';
import type { SessionTokens, SignInTokens } from '../ports/tokens.ts';
import { logRefusedSignIn, logSignIn, type SignInLogPorts, type SignInRefusal } from './log-sign-in.ts';

/**
 * The link signs nobody in; the page does not say why. `unknown`: the token is invalid, or its sign-in was pruned, so no
 * organisation gets an entry. `userId`: the user of the link, if known.
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
 * Finds the sign-in of a link without using it. `client`: the browser, and a coarse network, for the activity log. A spent
 * link is a refused sign-in with an entry in the activity log, except with `log: false` (a HEAD request).
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
 * `confirmed`: the browser has a session of the same user, which continues. `returnTo`: the page to return to; null: the
 * first page. `deviceToken`: identifies the browser at the next sign-in.
 */
export type RedeemSignInResult =
  | ({
      readonly returnTo: string | null;
      readonly deviceToken: string;
    } & ({ readonly kind: 'signed-in'; readonly sessionToken: string } | { readonly kind: 'confirmed' }))
  | SpentSignIn;

/** The tokens that a browser has from earlier sign-ins. */
export interface PresentedTokens {
  readonly session: string | null;
  readonly device: string | null;
}

/**
 * Uses a one-time link and starts a session. Only the first use succeeds. Success and refusal both have an entry in the
 * activity log of the user's organisation. A sign-in with a new browser is reported to the user by mail.
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
    const { user, returnTo } = record;
    return completeSignIn(within, user, { isConfirmed, sessionToken, returnTo, client, presented });
  });
}

/** Logs a session that began or was confirmed, and records its browser, in the transaction of the session. */
export async function completeSignIn(
  ports: Omit<SignInLogPorts, 'inTransaction'> & DevicePorts & Stores,
  user: SignInRecord['user'],
  signIn: {
    readonly isConfirmed: boolean;
    readonly sessionToken: string;
    readonly returnTo: string | null;
    readonly client: string;
    readonly presented: PresentedTokens;
  },
): Promise<Exclude<RedeemSignInResult, SpentSignIn>> {
  const { isConfirmed, sessionToken, returnTo, client, presented } = signIn;
  await logSignIn(ports, user, client, isConfirmed);
  const deviceToken = await recordDevice(ports, user.id, client, presented.device);
  return isConfirmed
    ? { kind: 'confirmed', returnTo, deviceToken }
    : { kind: 'signed-in', sessionToken, returnTo, deviceToken };
}

/** Records the browser of a sign-in, and returns the device token that the browser keeps. */
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

/** Why a sign-in that is not open is refused. */
function explainSpent({ redeemed, withdrawn }: SignInRecord): SignInRefusal {
  if (redeemed) return 'used';
  return withdrawn ? 'withdrawn' : 'expired';
}
