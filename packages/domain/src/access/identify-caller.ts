import type { Caller, Role } from '../model/user.ts';
import type { ApiKeys, Users } from '../ports/access.ts';
import type { Clock } from '../ports/clock.ts';

/** Finds who holds an API key; null for a key that is junk, unknown or no longer valid. */
export async function identifyCaller(
  ports: { readonly apiKeys: Pick<ApiKeys, 'hash'>; readonly users: Pick<Users, 'findByKeyHash'> },
  presentedKey: string,
): Promise<Caller | null> {
  const hash = ports.apiKeys.hash(presentedKey);
  return hash === null ? null : ports.users.findByKeyHash(hash);
}

/** What a caller may do. `member` work is for every role; `admin` work for owners and admins. */
export type Authorisation =
  | { readonly kind: 'allowed'; readonly orgId: string; readonly userId: string }
  | { readonly kind: 'forbidden'; readonly reason: 'no-organisation' | 'subscription-expired' | 'role' };

/**
 * Checks whether a caller may do such work now, and in which organisation. An expired subscription shuts everyone
 * out.
 */
export function authorise(
  caller: Caller,
  work: 'member' | 'admin',
  { clock }: { readonly clock: Clock },
): Authorisation {
  if (!caller.membership) return { kind: 'forbidden', reason: 'no-organisation' };
  const { orgId, role, subscriptionExpiresAt } = caller.membership;
  if (subscriptionExpiresAt !== null && subscriptionExpiresAt <= clock.now()) {
    return { kind: 'forbidden', reason: 'subscription-expired' };
  }
  if (work === 'admin' && !isAdmin(role)) return { kind: 'forbidden', reason: 'role' };
  return { kind: 'allowed', orgId, userId: caller.userId };
}

function isAdmin(role: Role): boolean {
  return role === 'owner' || role === 'admin';
}
