import { type ApiScope, hasScope, isExpired, type KeyHolder } from '../model/api-key.ts';
import { hasExpired } from '../model/organisation.ts';
import type { Caller, Role } from '../model/user.ts';
import type { Users } from '../ports/access.ts';
import type { Clock } from '../ports/clock.ts';
import type { ApiKeys } from '../ports/tokens.ts';

/** `unknown`: the text is not a key, or no user has it (any more). */
export type IdentifiedCaller =
  | { readonly kind: 'identified'; readonly caller: KeyHolder }
  | { readonly kind: 'expired'; readonly name: string; readonly expiresAt: Date }
  | { readonly kind: 'unknown' };

/** Finds the user of an API key. */
export async function identifyCaller(
  ports: {
    readonly apiKeys: Pick<ApiKeys, 'hash'>;
    readonly users: Pick<Users, 'findByKeyHash'>;
    readonly clock: Clock;
  },
  presentedKey: string,
): Promise<IdentifiedCaller> {
  const hash = ports.apiKeys.hash(presentedKey);
  const caller = hash === null ? null : await ports.users.findByKeyHash(hash);
  if (!caller) return { kind: 'unknown' };
  const { name, expiresAt } = caller.key;
  if (expiresAt && isExpired({ expiresAt }, ports.clock.now())) return { kind: 'expired', name, expiresAt };
  return { kind: 'identified', caller };
}

/** Whether a caller is allowed, and in which organisation. */
export type Authorisation =
  | { readonly kind: 'allowed'; readonly orgId: string; readonly userId: string }
  | { readonly kind: 'forbidden'; readonly reason: 'no-organisation' | 'subscription-expired' | 'role' };

/**
 * Checks whether a caller may do such work now: `member` work is for every role, `admin` work for owners and admins. With an
 * expired subscription nobody may do anything.
 */
export function authorise(
  caller: Caller,
  work: 'member' | 'admin',
  { clock }: { readonly clock: Clock },
): Authorisation {
  if (!caller.membership) return { kind: 'forbidden', reason: 'no-organisation' };
  const { orgId, role, subscriptionExpiresAt } = caller.membership;
  if (hasExpired(subscriptionExpiresAt, clock.now())) {
    return { kind: 'forbidden', reason: 'subscription-expired' };
  }
  if (work === 'admin' && !isAdmin(role)) return { kind: 'forbidden', reason: 'role' };
  return { kind: 'allowed', orgId, userId: caller.userId };
}

/** Like `authorise`, for a caller with a key, which must also have the scope. The user's own rights are checked first. */
export function authoriseKey(
  caller: KeyHolder,
  work: 'member' | 'admin',
  scope: ApiScope,
  ports: { readonly clock: Clock },
): Authorisation | { readonly kind: 'forbidden'; readonly reason: 'scope' } {
  const authorisation = authorise(caller, work, ports);
  if (authorisation.kind === 'forbidden' || hasScope(caller.key.scopes, scope)) return authorisation;
  return { kind: 'forbidden', reason: 'scope' };
}

function isAdmin(role: Role): boolean {
  return role === 'owner' || role === 'admin';
}
