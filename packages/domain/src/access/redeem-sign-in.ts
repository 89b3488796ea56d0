import type { Clock, SessionTokens, SignIns, SignInTokens } from '../ports.ts';
import type { OpenSignIn } from './sign-in.ts';
import { sessionExpiry } from './sign-in.ts';

/** The sign-in behind a link, which looking at does not use up; null when it is used, expired or no link of ours. */
export async function lookAtSignIn(
  ports: { readonly clock: Clock; readonly signIns: SignIns; readonly signInTokens: SignInTokens },
  token: string,
): Promise<OpenSignIn | null> {
  const id = ports.signInTokens.open(token);
  return id === null ? null : ports.signIns.findOpen(id, ports.clock.now());
}

/** `spent`: the link was used, has expired, or is none of ours; they are not told apart. */
export type RedeemSignInResult =
  | { readonly kind: 'signed-in'; readonly sessionToken: string }
  | { readonly kind: 'spent' };

/** Uses up a one-time link and begins a session. Only the first to come gets in. */
export async function redeemSignIn(
  ports: {
    readonly clock: Clock;
    readonly signIns: SignIns;
    readonly signInTokens: SignInTokens;
    readonly sessionTokens: SessionTokens;
  },
  token: string,
): Promise<RedeemSignInResult> {
  const id = ports.signInTokens.open(token);
  if (id === null) return { kind: 'spent' };
  const { token: sessionToken, hash } = ports.sessionTokens.mint();
  const now = ports.clock.now();
  const session = { hash, createdAt: now, expiresAt: sessionExpiry(now, now) };
  const outcome = await ports.signIns.redeem(id, session);
  return outcome === 'redeemed' ? { kind: 'signed-in', sessionToken } : { kind: 'spent' };
}
