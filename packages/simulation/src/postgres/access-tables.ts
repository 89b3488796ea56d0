import { at, type Table } from './table.ts';

/** Who may sign in or send webhooks, and with what. */
export const ACCESS_TABLES: Readonly<Record<string, Table>> = {
  users: {
    from: 'users',
    columns: ['id', 'email', 'name', 'org_id', 'role'],
    inMemory: ({ users }) =>
      [...users.values()].map(({ membership, ...row }) => [
        row.id,
        row.email,
        row.name,
        membership?.orgId,
        membership?.role,
      ]),
  },
  'API keys': {
    from: 'api_keys',
    columns: ['user_id', 'name', 'hash', 'sealed'],
    inMemory: ({ keys }) =>
      [...keys.values()].map(({ userId, name, hash, sealed }) => [userId, name, hash, sealed]),
  },
  'sessions of users': {
    from: 'user_sessions where expires_at > $1',
    columns: ['hash', 'user_id', at('created_at'), at('expires_at')],
    // Expired ones may be deleted.
    inMemory: ({ userSessions }, now) =>
      [...userSessions.values()]
        .filter(({ expiresAt }) => expiresAt > now)
        .map((row) => [row.hash, row.userId, row.createdAt, row.expiresAt]),
  },
  passkeys: {
    from: 'passkeys',
    columns: ['id', 'user_id', 'name', 'counter', at('created_at'), at('last_used_at')],
    inMemory: ({ passkeys }) =>
      [...passkeys.values()].map((row) => [
        row.id,
        row.userId,
        row.name,
        row.counter,
        row.createdAt,
        row.lastUsedAt,
      ]),
  },
  'challenges of passkeys': {
    from: 'passkey_challenges where expires_at > $1',
    columns: ['challenge', 'user_id', at('expires_at')],
    // Expired ones may be deleted.
    inMemory: ({ passkeyChallenges }, now) =>
      [...passkeyChallenges.values()]
        .filter(({ expiresAt }) => expiresAt > now)
        .map((row) => [row.challenge, row.userId, row.expiresAt]),
  },
  devices: {
    from: 'user_devices',
    columns: ['user_id', 'hash', 'client', at('seen_at')],
    inMemory: ({ devices }) =>
      [...devices.values()].map((row) => [row.userId, row.hash, row.client, row.seenAt]),
  },
  'sign-ins': {
    from: 'sign_ins',
    columns: ['id', 'redeemed_at is not null', 'withdrawn'],
    inMemory: ({ signIns }) => [...signIns.values()].map((row) => [row.id, row.redeemed, row.withdrawn]),
  },
  invitations: {
    from: 'invitations',
    columns: ['id', 'role', at('expires_at'), at('accepted_at')],
    inMemory: ({ invitations }) =>
      [...invitations.values()].map((row) => [row.id, row.role, row.expiresAt, row.acceptedAt]),
  },
  connections: {
    from: 'connections',
    columns: ['org_id', 'id', 'platform', 'name', 'strict', 'ignore_test_orders', 'default_currency'],
    inMemory: ({ connections }) =>
      [...connections.values()].map(({ rules, ...row }) => [
        row.orgId,
        row.id,
        row.platform,
        row.name,
        rules.strict,
        rules.ignoreTestOrders,
        rules.defaultCurrency,
      ]),
  },
  'secrets of connections': {
    from: 'connection_secrets where coalesce(expires_at > $1, true)',
    columns: ['connection_id', 'sealed', at('created_at'), at('expires_at')],
    inMemory: ({ connections }, now) =>
      [...connections.values()].flatMap(({ id, secrets }) =>
        secrets
          .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
          .map((row) => [id, row.secret, row.setAt, row.expiresAt]),
      ),
  },
  'shared secrets': {
    from: 'shared_secrets where coalesce(expires_at > $1, true)',
    columns: ['id', 'sealed', at('created_at'), at('expires_at')],
    inMemory: ({ sharedSecrets }, now) =>
      [...sharedSecrets]
        .filter(([, { expiresAt }]) => expiresAt === null || expiresAt > now)
        .map(([id, row]) => [id, row.secret, row.setAt, row.expiresAt]),
  },
  'payment accounts': {
    from: 'payment_accounts',
    columns: ['account', 'org_id', 'connection_id'],
    inMemory: ({ accounts }) => [...accounts].map(([account, row]) => [account, row.orgId, row.connectionId]),
  },
  'counts of rejected deliveries': {
    from: 'rejection_counts',
    columns: ['org_id', 'platform', 'count', at('last_at'), 'last_reason'],
    inMemory: ({ rejections }) =>
      [...rejections.values()].map((row) => [row.orgId, row.platform, row.count, row.lastAt, row.lastReason]),
  },
  dismissals: {
    from: 'dismissals',
    columns: ['org_id', 'subject', at('seen_at'), 'seen_count', 'reason', 'dismissed_by', at('at')],
    inMemory: ({ dismissals }) =>
      [...dismissals.values()].map((row) => [
        row.orgId,
        row.subject,
        row.seenAt,
        row.seenCount,
        row.reason,
        row.by,
        row.at,
      ]),
  },
};
