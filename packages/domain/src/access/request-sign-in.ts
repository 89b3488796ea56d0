import { throttle } from '../downloads/throttle.ts';
import type { Clock, Ids, SignIns, SignInTokens, Throttles } from '../ports.ts';
import { foldEmail, readEmail } from '../purchases/email.ts';
import type { InvalidInput } from '../validation.ts';
import { SIGN_IN_LIFETIME_MS } from './sign-in.ts';

/** `asked` says nothing of whether there is such a user. `email` is the address, trimmed. */
export type RequestSignInResult =
  | { readonly kind: 'asked'; readonly email: string }
  | { readonly kind: 'too-often' }
  | InvalidInput;

/**
 * Mails a one-time link to the user of an e-mail address. The answer is the same whether there is one. `network` is
 * where the request came from.
 */
export async function requestSignIn(
  ports: {
    readonly clock: Clock;
    readonly ids: Ids;
    readonly signIns: SignIns;
    readonly throttles: Throttles;
  },
  { email: typed, network }: { readonly email: string; readonly network: string },
): Promise<RequestSignInResult> {
  const email = readEmail(typed);
  if (email === null) return { kind: 'invalid', field: 'email', problem: 'must be an e-mail address' };
  // The network first: a request that is refused for it uses up no tries of the address.
  const until =
    (await throttle(ports, 'signInPerNetwork', network)) ??
    (await throttle(ports, 'signInPerAddress', foldEmail(email)));
  if (until) return { kind: 'too-often' };
  const now = ports.clock.now();
  await ports.signIns.add(newSignIn(ports.ids.next(), email, now), 'mail');
  return { kind: 'asked', email };
}

/** `url` signs in whoever opens it first, until `expiresAt`. */
export type IssueSignInLinkResult =
  | { readonly kind: 'issued'; readonly url: string; readonly expiresAt: Date }
  | { readonly kind: 'unknown-user' };

/** Makes a one-time link without a mail: for whoever runs the installation. */
export async function issueSignInLink(
  ports: {
    readonly clock: Clock;
    readonly ids: Ids;
    readonly signIns: SignIns;
    readonly signInTokens: SignInTokens;
  },
  email: string,
): Promise<IssueSignInLinkResult> {
  const signIn = newSignIn(ports.ids.next(), email, ports.clock.now());
  const outcome = await ports.signIns.add(signIn, 'no-mail');
  if (outcome === 'unknown-user') return { kind: 'unknown-user' };
  return { kind: 'issued', url: ports.signInTokens.url(signIn.id), expiresAt: signIn.expiresAt };
}

function newSignIn(id: string, email: string, createdAt: Date) {
  return { id, email, createdAt, expiresAt: new Date(createdAt.getTime() + SIGN_IN_LIFETIME_MS) };
}
