import type { SignInTokens } from '../ports.ts';
import type { PendingSignInMail, SignInMail } from './sign-in.ts';

export function composeSignIn(
  { kind, id, orgId, to, requestedAt }: PendingSignInMail,
  tokens: SignInTokens,
): SignInMail {
  return { kind, mailId: id, orgId, to, url: tokens.url(id), requestedAt };
}
