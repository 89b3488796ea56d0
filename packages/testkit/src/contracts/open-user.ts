import { createUser, issueSignInLink, type Role, redeemSignIn } from '@handover/domain';
import type { OpenedShop } from './harness.ts';

/** A user of the shop, or of no organisation if `role` is null. Their sign-in links come from the command line. */
export async function openUser<Shop extends OpenedShop>(
  opened: Shop,
  role: Role | null = 'admin',
  orgId = opened.shop.orgId,
) {
  const email = `Jana-${opened.ids.next()}@Example.com`;
  const membership = role && { orgId, role };
  const created = await createUser(opened, { email, name: 'Jana Vogel', membership });
  if (created.kind !== 'created') throw new Error(`The sample user: ${created.kind}`);
  const issueToken = async () => {
    const issued = await issueSignInLink(opened, email.toUpperCase());
    return issued.kind === 'issued' ? issued.url.slice('/dashboard/sign-in/'.length) : '';
  };
  /** Returns the token of the session. */
  const redeem = async (token: string) => {
    const redeemed = await redeemSignIn(opened, token, CLIENT);
    return redeemed.kind === 'signed-in' ? redeemed.sessionToken : '';
  };
  const signIn = async () => redeem(await issueToken());
  return { ...opened, orgId, email, userId: created.user.id, issueToken, redeem, signIn };
}

/** The client that a sample user signs in with. */
export const CLIENT = 'Firefox on Linux, 203.0.113.0/24';
