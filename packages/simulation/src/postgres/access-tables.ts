import { at, type Table, tableOf } from './table.ts';

/** Who may sign in or send webhooks, and with what. */
export const ACCESS_TABLES: Readonly<Record<string, Table>> = {
  users: tableOf('users', ({ users }) =>
    [...users.values()].map(({ membership, ...row }) => ({
      ...row,
      orgId: membership?.orgId,
      role: membership?.role,
    })),
  ).compare(['id', 'email', 'name', 'orgId', 'role']),
  'API keys': tableOf('api_keys', ({ keys }) => keys.values()).compare([
    'userId',
    'name',
    'scopes',
    'hash',
    'sealed',
    'createdAt',
    'expiresAt',
    'lastUsedAt',
  ]),
  'sessions of users': tableOf('user_sessions where expires_at > $1', ({ userSessions }, now) =>
    lasting(userSessions.values(), now),
  ).compare(['hash', 'userId', 'createdAt', 'expiresAt']),
  passkeys: tableOf('passkeys', ({ passkeys }) => passkeys.values()).compare([
    'id',
    'userId',
    'name',
    'counter',
    'createdAt',
    'lastUsedAt',
  ]),
  'challenges of passkeys': tableOf(
    'passkey_challenges where expires_at > $1',
    ({ passkeyChallenges }, now) => lasting(passkeyChallenges.values(), now),
  ).compare(['challenge', 'userId', 'expiresAt']),
  devices: tableOf('user_devices', ({ devices }) => devices.values()).compare([
    'userId',
    'hash',
    'client',
    'seenAt',
  ]),
  'sign-ins': tableOf('sign_ins', ({ signIns }) => signIns.values()).compare(
    ['id', 'redeemed', 'withdrawn'],
    {
      redeemed: 'redeemed_at is not null',
    },
  ),
  invitations: tableOf('invitations', ({ invitations }) => invitations.values()).compare([
    'id',
    'role',
    'expiresAt',
    'acceptedAt',
  ]),
  connections: tableOf('connections', ({ connections }) =>
    [...connections.values()].map(({ rules, ...row }) => ({ ...row, ...rules })),
  ).compare(['orgId', 'id', 'platform', 'name', 'strict', 'ignoreTestOrders', 'defaultCurrency']),
  'secrets of connections': tableOf(
    'connection_secrets where coalesce(expires_at > $1, true)',
    ({ connections }, now) =>
      [...connections.values()].flatMap(({ id, secrets }) =>
        lasting(secrets, now).map((row) => ({ ...row, connectionId: id })),
      ),
  ).compare(['connectionId', 'secret', 'setAt', 'expiresAt'], { secret: 'sealed', setAt: at('created_at') }),
  'shared secrets': tableOf(
    'shared_secrets where coalesce(expires_at > $1, true)',
    ({ sharedSecrets }, now) =>
      lasting(
        [...sharedSecrets].map(([id, row]) => ({ id, ...row })),
        now,
      ),
  ).compare(['id', 'secret', 'setAt', 'expiresAt'], { secret: 'sealed', setAt: at('created_at') }),
  'payment accounts': tableOf('payment_accounts', ({ accounts }) =>
    [...accounts].map(([account, row]) => ({ account, ...row })),
  ).compare(['account', 'orgId', 'connectionId']),
  'counts of rejected deliveries': tableOf('rejection_counts', ({ rejections }) =>
    rejections.values(),
  ).compare(['orgId', 'platform', 'count', 'lastAt', 'lastReason']),
  dismissals: tableOf('dismissals', ({ dismissals }) => dismissals.values()).compare(
    ['orgId', 'subject', 'seenAt', 'seenCount', 'reason', 'by', 'at'],
    { by: 'dismissed_by' },
  ),
};

/** Expired rows may be deleted. */
export function lasting<Row extends { readonly expiresAt: Date | null }>(
  rows: Iterable<Row>,
  now: Date,
): readonly Row[] {
  return [...rows].filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
}
