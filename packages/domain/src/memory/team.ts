import { kindsOfGroup } from '../model/activity.ts';
import { mayGiveRoles } from '../model/invitation.ts';
import { refuseTeamChange } from '../model/team-change.ts';
import type { Role, StoredApiKey, TeamMember, User } from '../model/user.ts';
import type { ActivityLog, Team } from '../ports/access.ts';
import { resetKeys } from './api-keys.ts';
import { findUser, type Memory, removeInvitation, rowsWhere } from './memory.ts';
import { endSessions } from './sign-in.ts';

export function createInMemoryTeam(memory: Memory): Team {
  return {
    list: async (orgId) => listTeam(memory, orgId),
    find: async (orgId, userId) => listTeam(memory, orgId).find(({ id }) => id === userId) ?? null,
    setRole: async (orgId, userId, { by, from, to }) => {
      const user = memory.users.get(userId);
      const refusal = refuseTeamChange(listTeam(memory, orgId), { by, userId, from, to });
      if (refusal !== null || !user) return refusal ?? 'unknown-user';
      memory.users.set(userId, { ...user, membership: { orgId, role: to } });
      withdrawInvitationsOf(memory, orgId, userId, to);
      return 'set';
    },
    remove: async (orgId, userId, { by, from, key }) => {
      const user = memory.users.get(userId);
      const refusal = refuseTeamChange(listTeam(memory, orgId), { by, userId, from, to: null });
      if (refusal !== null || !user) return refusal ?? 'unknown-user';
      memory.users.set(userId, { ...user, membership: null });
      resetKeys(memory, userId, key);
      endSessions(memory, userId);
      withdrawInvitationsOf(memory, orgId, userId, null);
      return 'removed';
    },
  };
}

/** Adds the user. If the address has a user already, that user joins instead, unless they belong to an organisation. */
export function joinOrganisation(memory: Memory, user: User, key: StoredApiKey): User | 'email-taken' {
  const known = findUser(memory, user.email);
  if (known && (known.membership || !user.membership)) return 'email-taken';
  const joined = known ? { ...known, name: known.name ?? user.name, membership: user.membership } : user;
  memory.users.set(joined.id, joined);
  resetKeys(memory, joined.id, key);
  endSessions(memory, joined.id);
  return joined;
}

function withdrawInvitationsOf(memory: Memory, orgId: string, userId: string, role: Role | null): void {
  for (const row of memory.invitations.values()) {
    const isTheirs = row.orgId === orgId && row.invitedBy === userId && row.acceptedAt === null;
    if (isTheirs && (role === null || !mayGiveRoles(role, [row.role]))) removeInvitation(memory, row.id);
  }
}

function listTeam({ users }: Memory, orgId: string): readonly TeamMember[] {
  return [...users.values()]
    .filter(({ membership }) => membership?.orgId === orgId)
    .flatMap(describeMember)
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1));
}

export function describeMember({ id, email, name, membership, createdAt }: User): readonly TeamMember[] {
  return membership ? [{ id, email, name, role: membership.role, createdAt }] : [];
}

export function createInMemoryActivityLog(memory: Memory): ActivityLog {
  return {
    add: async (orgId, entry) => {
      memory.activity.set(entry.id, { ...entry, orgId });
    },
    rewriteNewest: async (orgId, { kind, subjectId, summary }) => {
      const [newest] = [...rowsWhere(memory.activity, { orgId, kind, subjectId })].sort((a, b) =>
        a.id < b.id ? 1 : -1,
      );
      if (newest) memory.activity.set(newest.id, { ...newest, summary });
    },
    list: async (orgId, { subjectId, via = null, actor = null, group = null, period, before, limit }) =>
      rowsWhere(memory.activity, { orgId })
        .filter(({ at }) => !period?.from || at >= period.from)
        .filter(({ at }) => !period?.until || at < period.until)
        .filter((entry) => before === null || entry.id < before)
        .filter((entry) => subjectId === null || entry.subjectId === subjectId)
        .filter((entry) => via === null || entry.via === via)
        .filter((entry) => actor === null || entry.actor === actor)
        .filter(({ kind }) => group === null || kindsOfGroup(group).includes(kind))
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit)
        .map(({ orgId: _orgId, ...entry }) => entry),
    listSubjects: async (orgId, { kind, subjectIds, since }) => {
      const entries = rowsWhere(memory.activity, { orgId, kind }).filter(({ at }) => at >= since);
      return [...new Set(entries.map(({ subjectId }) => subjectId))].filter((id) => subjectIds.includes(id));
    },
  };
}
