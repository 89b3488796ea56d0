import type { PendingSignInMail } from '@handover/domain';
import type { Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import { forgetEnded } from './forget-ended.ts';
import type { HeldEmail, Preparing } from './prepare-email.ts';
import { findOpenSignIn } from './sign-ins.ts';

/** Nothing is kept of a mail whose link would let nobody in. */
export async function prepareSignIn(
  trx: Transaction<Schema>,
  { id, pendingSince, attempts }: HeldEmail,
  { orgId: ofEmail, now }: Preparing,
): Promise<PendingSignInMail | { readonly kind: 'completed' }> {
  const signIn = await findOpenSignIn(trx, id, now);
  if (!signIn) {
    await forgetEnded(trx, ofEmail, [{ id, kind: 'sign-in' }]);
    return { kind: 'completed' };
  }
  const { orgId, user: to, createdAt: requestedAt } = signIn;
  return { kind: 'sign-in', id, orgId, to, requestedAt, pendingSince, attempts };
}
