import { logAction } from '../audit/run-audited-action.ts';
import { COMMAND_LINE } from '../model/activity.ts';
import { normalizeEmail, readEmail } from '../model/email-address.ts';
import { SIGN_IN_LIFETIME_MS } from '../model/sign-in.ts';
import type { User } from '../model/user.ts';
import type { InvalidInput } from '../model/validation.ts';
import type { Stores } from '../ports/stores.ts';
import type { SignInTokens } from '../ports/tokens.ts';
import { logRefusedSignIn, type SignInLogPorts } from './log-sign-in.ts';
import { throttle } from './throttle.ts';

/**
 * `email` is the address, trimmed. `userId`: whose address it is; null when it is nobody's. It is for the server's own
 * log: the answer to the sender must not depend on it.
 */
export type RequestSignInResult =
  | { readonly kind: 'asked' | 'too-often'; readonly email: string; readonly userId: string | null }
  | InvalidInput;

/**
 * Mails a one-time link to the user of an e-mail address. `network` is where the request came from, and `client`
 * says in few words which browser asked, and from where: a refusal has its entry in the log of the user's organisation.
 */
export async function requestSignIn(
  ports: SignInLogPorts & Pick<Stores, 'throttles'>,
  {
    email: typed,
    network,
    client,
    returnTo = null,
  }: {
    readonly email: string;
    readonly network: string;
    readonly client: string;
    /** The page that the link leads back to. */
    readonly returnTo?: string | null;
  },
): Promise<RequestSignInResult> {
  const email = readEmail(typed);
  if (email === null) return { kind: 'invalid', field: 'email', problem: 'must be an e-mail address' };
  const now = ports.clock.now();
  // The network first: a request that is refused for it uses up no tries of the address.
  const until =
    (await throttle(ports, 'signInPerNetwork', network)) ??
    (await throttle(ports, 'signInPerAddress', normalizeEmail(email)));
  return ports.inTransaction(async (stores) => {
    const user = await stores.users.find({ email });
    const userId = user?.id ?? null;
    if (until) {
      if (user) await logRefusedSignIn({ ...ports, ...stores }, toSignInUser(user), 'too-often', client);
      return { kind: 'too-often', email, userId };
    }
    await stores.signIns.add(newSignIn(ports.ids.next(), email, now, returnTo), 'mail');
    return { kind: 'asked', email, userId };
  });
}

function toSignInUser({ id, email, membership }: User) {
  return { id, email, orgId: membership?.orgId ?? null };
}

/** `url` signs in the first person who opens it, until `expiresAt`. */
export type IssueSignInLinkResult =
  | { readonly kind: 'issued'; readonly url: string; readonly expiresAt: Date }
  | { readonly kind: 'unknown-user' };

/**
 * Makes a one-time link without a mail: for the operator of the installation. The log of the user's organisation says so,
 * since anyone who holds the link is signed in as that user.
 */
export async function issueSignInLink(
  ports: SignInLogPorts & { readonly signInTokens: SignInTokens },
  email: string,
): Promise<IssueSignInLinkResult> {
  const signIn = newSignIn(ports.ids.next(), email, ports.clock.now());
  const user = await ports.inTransaction(async (stores) => {
    if ((await stores.signIns.add(signIn, 'no-mail')) === 'unknown-user') return null;
    const found = await stores.users.find({ email });
    if (found) await logIssuedLink({ ...ports, ...stores }, found);
    return found;
  });
  if (!user) return { kind: 'unknown-user' };
  return { kind: 'issued', url: ports.signInTokens.url(signIn.id), expiresAt: signIn.expiresAt };
}

function logIssuedLink(ports: Omit<SignInLogPorts, 'inTransaction'> & Stores, user: User): Promise<void> {
  const summary = `A sign-in link for ${user.email} was issued by command line.`;
  const scope = { orgId: user.membership?.orgId ?? null, by: COMMAND_LINE };
  return logAction(ports, scope, { kind: 'sign-in-link-issued', subjectId: user.id, summary });
}

function newSignIn(id: string, email: string, createdAt: Date, returnTo: string | null = null) {
  return { id, email, createdAt, returnTo, expiresAt: new Date(createdAt.getTime() + SIGN_IN_LIFETIME_MS) };
}
