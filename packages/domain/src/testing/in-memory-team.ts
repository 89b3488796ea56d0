import type { User } from '../access/organisation.ts';
import type { TeamMember } from '../access/team.ts';
import type { ActivityLog, Team } from '../ports.ts';
import { foldEmail } from '../purchases/email.ts';
import type { Memory } from './memory.ts';

export function createInMemoryTeam(memory: Memory): Team {
  return {
    list: async (orgId) => listTeam(memory, orgId),
    find: async (orgId, userId) => listTeam(memory, orgId).find(({ id }) => id === userId) ?? null,
    join: async (user, key) => {
      const known = [...memory.users.values()].find(
        ({ email }) => foldEmail(email) === foldEmail(user.email),
      );
      if (known?.membership) return 'email-taken';
      const joined = known ? { ...known, membership: user.membership } : user;
      memory.users.set(joined.id, joined);
      if (!known) memory.keys.set(user.id, key);
      const [member] = describeMember(joined);
      if (!member) throw new Error('The user joins no organisation.');
      return member;
    },
    setRole: async (orgId, userId, { from, to }) => {
      const team = listTeam(memory, orgId);
      const user = memory.users.get(userId);
      if (!user || !team.some(({ id, role }) => id === userId && role === from)) return 'unknown-user';
      const owners = team.filter(({ role }) => role === 'owner');
      if (from === 'owner' && to !== 'owner' && owners.length === 1) return 'last-owner';
      memory.users.set(userId, { ...user, membership: to === null ? null : { orgId, role: to } });
      return 'set';
    },
  };
}

function listTeam({ users }: Memory, orgId: string): readonly TeamMember[] {
  return [...users.values()]
    .filter(({ membership }) => membership?.orgId === orgId)
    .flatMap(describeMember)
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1));
}

function describeMember({ id, email, name, membership, createdAt }: User): readonly TeamMember[] {
  return membership ? [{ id, email, name, role: membership.role, createdAt }] : [];
}

export function createInMemoryActivityLog(memory: Memory): ActivityLog {
  return {
    add: async (orgId, entry) => {
      memory.activity.set(entry.id, { ...entry, orgId });
    },
    list: async (orgId, { subjectId, before, limit }) =>
      [...memory.activity.values()]
        .filter((entry) => entry.orgId === orgId && (before === null || entry.id < before))
        .filter((entry) => subjectId === null || entry.subjectId === subjectId)
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit)
        .map(({ orgId: _orgId, ...entry }) => entry),
  };
}
