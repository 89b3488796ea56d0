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
 * `email`: the address, trimmed. `userId`: the user of that address, or null. It is for the server's log only: the response
 * must not depend on it.
 */
export type RequestSignInResult =
  | { readonly kind: 'asked' | 'too-often'; readonly email: string; readonly userId: string | null }
  | InvalidInput;

interface SignInRequest {
  readonly email: string;
  readonly network: string;
  readonly client: string;
  /** The page to return to after the sign-in. */
  readonly returnTo?: string | null;
}

type RequestPorts = SignInLogPorts & Pick<Stores, 'throttles'>;

/**
 * Mails a one-time link to the user of an e-mail address. `network`: the network of the request, for the throttle. `client`: the
 * browser, and a coarse network, for the entry of a refusal in the activity log.
 */
export async function requestSignIn(
  ports: RequestPorts,
  request: SignInRequest,
): Promise<RequestSignInResult> {
  const counted = await countSignInRequest(ports, request);
  if (counted.kind === 'invalid') return counted;
  const { kind, email } = counted;
  return { kind, email, userId: await counted.complete() };
}

/** `complete` mails the link, or logs the refusal, and returns the id of the user, or null. */
type CountedSignInRequest =
  | {
      readonly kind: 'asked' | 'too-often';
      readonly email: string;
      readonly complete: () => Promise<string | null>;
    }
  | InvalidInput;

/**
 * The part of a request for a link that takes the same time for unknown and known addresses. The response is sent before
 * `complete`, whose duration would reveal who has an account.
 */
export async function countSignInRequest(
  ports: RequestPorts,
  { email: typed, network, client, returnTo = null }: SignInRequest,
): Promise<CountedSignInRequest> {
  const email = readEmail(typed);
  if (email === null) return { kind: 'invalid', field: 'email', problem: 'must be an e-mail address' };
  const now = ports.clock.now();
  // The network comes first, so that a request that is refused for it does not count for the address.
  const until =
    (await throttle(ports, 'signInPerNetwork', network)) ??
    (await throttle(ports, 'signInPerAddress', normalizeEmail(email)));
  let id: string | null = null;
  const complete = () =>
    ports.inTransaction(async (stores) => {
      const user = await stores.users.find({ email });
      if (!until) {
        // One id for all tries of the transaction, so that a retry after a lost commit does not mail twice.
        id ??= ports.ids.next();
        await stores.signIns.add(newSignIn(id, email, now, returnTo), 'mail');
      } else if (user)
        await logRefusedSignIn({ ...ports, ...stores }, toSignInUser(user), 'too-often', client);
      return user?.id ?? null;
    });
  return { kind: until ? 'too-often' : 'asked', email, complete };
}

function toSignInUser({ id, email, membership }: User) {
  return { id, email, orgId: membership?.orgId ?? null };
}

/** `url`: signs in the first person who uses it before `expiresAt`. */
export type IssueSignInLinkResult =
  | { readonly kind: 'issued'; readonly url: string; readonly expiresAt: Date }
  | { readonly kind: 'unknown-user' };

/**
 * Creates a one-time link without mailing it, for the operator of the installation. It is logged, because anyone with the
 * link can sign in as that user.
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
