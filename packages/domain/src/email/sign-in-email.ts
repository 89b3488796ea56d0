import type { PendingSignInMail, SignInMail } from '../model/sign-in.ts';
import type { SignInTokens } from '../ports/access.ts';

export function composeSignIn(
  { kind, id, orgId, to, requestedAt }: PendingSignInMail,
  tokens: SignInTokens,
): SignInMail {
  return { kind, mailId: id, orgId, to, url: tokens.url(id), requestedAt };
}
