import { ARRIVALS_PERIOD_MS, MAX_ARRIVALS } from '../access/connection-state.ts';
import { isShortSecret } from '../access/read-secret.ts';
import { type ConnectionFacts, DEFAULT_RULES, type Destination } from '../model/connection.ts';
import { isSameName, type Organisation } from '../model/organisation.ts';
import type { Platform } from '../model/platform.ts';
import type { StoredApiKey, User } from '../model/user.ts';
import type { OrganisationChange, Organisations, Users } from '../ports/access.ts';
import type { Connections, WantedConnection } from '../ports/connections.ts';
import { findDefaultKey, putDefaultKey } from './api-keys.ts';
import { acceptInvitationsOf } from './invitations.ts';
import { findUser, type Memory, moveRevision, rowsWhere } from './memory.ts';
import { addRelease, listReleased } from './releases.ts';
import type { ConnectionRow } from './rows.ts';
import { joinOrganisation } from './team.ts';

export function createInMemoryOrganisations(memory: Memory): Organisations {
  return {
    add: async (organisation: Organisation, owner: User, key: StoredApiKey) => {
      if (findUser(memory, owner.email)) return 'email-taken';
      memory.organisations.set(organisation.id, organisation);
      memory.revisions.set(organisation.id, 0);
      memory.users.set(owner.id, owner);
      putDefaultKey(memory, owner.id, key);
      return 'added';
    },
    find: async (orgId) => memory.organisations.get(orgId) ?? null,
    findByName: async (text, limit) =>
      listOldestFirst(memory)
        .filter(({ name }) => isSameName(name, text))
        .slice(0, limit),
    list: async ({ after, limit }) =>
      listOldestFirst(memory)
        .filter(({ id }) => after === null || id > after)
        .slice(0, limit),
    change: async (orgId, values) => changeOrganisation(memory, orgId, values),
    setDefaultCurrency: async (orgId, defaultCurrency) => {
      const without = rowsWhere(memory.purchases, { orgId }).filter(({ currency }) => currency === null);
      for (const purchase of without)
        memory.purchases.set(purchase.id, { ...purchase, currency: defaultCurrency });
      const outcome = changeOrganisation(memory, orgId, { defaultCurrency });
      if (outcome !== 'unknown-organisation') moveRevision(memory, orgId);
      return outcome === 'unchanged' && without.length > 0 ? 'changed' : outcome;
    },
    setSubscription: async (orgId, expiresAt, releaseAt) => {
      const organisation = memory.organisations.get(orgId);
      if (!organisation) return null;
      memory.organisations.set(orgId, { ...organisation, subscriptionExpiresAt: expiresAt });
      moveRevision(memory, orgId);
      if (!releaseAt) return 0;
      addRelease(memory, orgId, { kind: 'subscription' }, releaseAt);
      return listReleased(memory, orgId, { kind: 'subscription' }).length;
    },
  };
}

function listOldestFirst(memory: Memory): readonly Organisation[] {
  return [...memory.organisations.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

export function createInMemoryUsers(memory: Memory): Users {
  return {
    add: async (user, key) => {
      if (user.membership && !memory.organisations.has(user.membership.orgId)) return 'unknown-organisation';
      const joined = joinOrganisation(memory, user, key);
      if (joined !== 'email-taken' && user.membership) {
        acceptInvitationsOf(memory, user.membership.orgId, user);
      }
      return joined;
    },
    findKey: async (userId) => {
      const key = findDefaultKey(memory, userId);
      return key ? { hash: key.hash, sealed: key.sealed } : null;
    },
    replaceKey: async (userId, stored) => {
      if (!memory.users.has(userId)) return 'unknown-user';
      putDefaultKey(memory, userId, stored);
      return 'replaced';
    },
    findByKeyHash: async (hash) => {
      const row = memory.keys.get(hash);
      const user = row && memory.users.get(row.userId);
      if (!row || !user) return null;
      const { name, scopes, expiresAt, lastUsedAt } = row;
      const who = { userId: user.id, email: user.email, key: { hash, name, scopes, expiresAt, lastUsedAt } };
      if (!user.membership) return { ...who, membership: null };
      const subscriptionExpiresAt =
        memory.organisations.get(user.membership.orgId)?.subscriptionExpiresAt ?? null;
      return { ...who, membership: { ...user.membership, subscriptionExpiresAt } };
    },
    find: async (by) => {
      if ('id' in by) return memory.users.get(by.id) ?? null;
      return findUser(memory, by.email) ?? null;
    },
  };
}

export function createInMemoryConnections(memory: Memory): Connections {
  return {
    list: async (orgId, platform, now) => {
      if (!memory.organisations.has(orgId)) return null;
      return rowsWhere(memory.connections, { orgId, platform }).map(({ id, name, secrets, rules }) => ({
        id,
        name,
        rules,
        secrets: secrets
          .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
          .map(({ secret }) => secret),
      }));
    },
    listFacts: async (orgId, now) =>
      [...memory.connections.values()]
        .filter((row) => row.orgId === orgId)
        .map((row) => describeConnection(memory, row, now)),
    replaceSecret: async ({ orgId, platform, name, connectionId, secret, now, formerUntil }) => {
      if (!memory.organisations.has(orgId)) return 'unknown-organisation';
      const current = findConnection(memory, orgId, platform, name);
      const former = (current?.secrets ?? []).map((row) => ({
        ...row,
        expiresAt: row.expiresAt && row.expiresAt < formerUntil ? row.expiresAt : formerUntil,
      }));
      const id = current?.id ?? connectionId;
      const secrets = [{ secret, setAt: now, expiresAt: null }, ...former];
      const rules = current?.rules ?? DEFAULT_RULES;
      memory.connections.set(id, { id, orgId, platform, name, secrets, rules });
      return current ? 'replaced' : 'created';
    },
    findOrAdd: async (wanted) => findOrAddConnection(memory, wanted),
    addSecret: async ({ orgId, platform, name, connectionId, secret, now }) => {
      if (!memory.organisations.has(orgId)) return 'unknown-organisation';
      const added = { secret, setAt: now, expiresAt: null };
      const current = findConnection(memory, orgId, platform, name);
      if (!current) {
        const row = { id: connectionId, orgId, platform, name, secrets: [added], rules: DEFAULT_RULES };
        memory.connections.set(connectionId, row);
        return 'created';
      }
      if (current.secrets.some((row) => row.secret === secret && row.expiresAt === null)) return 'known';
      memory.connections.set(current.id, { ...current, secrets: [added, ...current.secrets] });
      return 'added';
    },
    setRules: async (orgId, platform, name, change) => {
      const current = findConnection(memory, orgId, platform, name);
      if (!current) return null;
      const rules = { ...current.rules, ...change };
      memory.connections.set(current.id, { ...current, rules });
      const isChanged = !isSame(current.rules, rules);
      if (isChanged) moveRevision(memory, orgId);
      return { rules, isChanged };
    },
  };
}

function changeOrganisation(
  { organisations }: Memory,
  orgId: string,
  values: Partial<Organisation>,
): OrganisationChange {
  const organisation = organisations.get(orgId);
  if (!organisation) return 'unknown-organisation';
  const changed = { ...organisation, ...values };
  organisations.set(orgId, changed);
  return isSame(organisation, changed) ? 'unchanged' : 'changed';
}

/** Both rows must have the same members in the same order. */
function isSame<Row>(one: Row, other: Row): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function findOrAddConnection(
  memory: Memory,
  { orgId, platform, name, connectionId }: WantedConnection,
): Destination | null {
  if (!memory.organisations.has(orgId)) return null;
  const found = findConnection(memory, orgId, platform, name);
  if (found) return { orgId, connectionId: found.id };
  memory.connections.set(connectionId, {
    id: connectionId,
    orgId,
    platform,
    name,
    secrets: [],
    rules: DEFAULT_RULES,
  });
  return { orgId, connectionId };
}

function findConnection({ connections }: Memory, orgId: string, platform: Platform, name: string) {
  return rowsWhere(connections, { orgId, platform, name })[0];
}

/** The facts of a connection that pages show, without its secrets. */
function describeConnection(
  { accounts, deliveries }: Memory,
  { secrets, orgId: _, ...connection }: ConnectionRow,
  now: Date,
): ConnectionFacts {
  const newest = [...deliveries.values()]
    .filter(({ connectionId, isTest }) => connectionId === connection.id && !isTest)
    .sort((a, b) => b.receivedAt.getTime() - a.receivedAt.getTime() || (a.id < b.id ? 1 : -1));
  const [last] = newest;
  const since = last ? last.receivedAt.getTime() - ARRIVALS_PERIOD_MS : 0;
  const lasting = secrets.filter(({ expiresAt }) => expiresAt === null);
  const formerEnds = secrets.flatMap(({ expiresAt }) => (expiresAt && expiresAt > now ? [expiresAt] : []));
  return {
    ...connection,
    secretSetAt: newestOf(lasting.map(({ setAt }) => setAt)),
    secretCount: lasting.length,
    hasShortSecret: lasting.some(({ secret }) => isShortSecret(connection.platform, secret)),
    formerUntil: newestOf(formerEnds),
    hasAccount: [...accounts.values()].some(({ connectionId }) => connectionId === connection.id),
    lastDelivery: last
      ? { id: last.id, at: last.receivedAt, orderId: last.orderId, orderNumber: last.orderNumber }
      : null,
    arrivals: newest
      .map(({ receivedAt }) => receivedAt)
      .filter((at) => at.getTime() >= since)
      .slice(0, MAX_ARRIVALS),
  };
}

function newestOf(times: readonly Date[]): Date | null {
  return times.reduce<Date | null>((newest, at) => (newest && newest > at ? newest : at), null);
}
