import type { InvitationRecord } from '../access/invitation.ts';
import { mayGiveRoles } from '../access/invitation.ts';
import type { User } from '../access/organisation.ts';
import type { Invitations } from '../ports.ts';
import { foldEmail } from '../purchases/email.ts';
import {
  claimIdOf,
  endClaim,
  heldUntil,
  holdsClaim,
  releaseClaim,
  takeClaim,
  UNCLAIMED,
} from './in-memory-claims.ts';
import { beginSession } from './in-memory-sign-in.ts';
import { describeMember, joinOrganisation } from './in-memory-team.ts';
import type { InvitationRow, Memory } from './memory.ts';
import { newestFirst, queueJobs } from './memory.ts';

export function createInMemoryInvitations(memory: Memory): Invitations {
  const { invitations, users, organisations } = memory;
  const findOpen = (orgId: string, invitationId: string) => {
    const row = invitations.get(invitationId);
    return row?.orgId === orgId && row.acceptedAt === null ? row : undefined;
  };
  return {
    add: async (invitation) => {
      const { orgId, email, role, createdAt } = invitation;
      const inviter = users.get(invitation.invitedBy)?.membership;
      if (inviter?.orgId !== orgId || !mayGiveRoles(inviter.role, [role])) return 'not-allowed';
      const isSame = (other: { readonly email: string }) => foldEmail(other.email) === foldEmail(email);
      if ([...users.values()].some((user) => user.membership?.orgId === orgId && isSame(user))) {
        return 'already-member';
      }
      const former = [...invitations.values()].find(
        (row) => row.orgId === orgId && row.acceptedAt === null && isSame(row),
      );
      if (former && former.expiresAt > createdAt) return 'already-invited';
      if (former) invitations.delete(former.id);
      const mail = { status: 'owed', answer: null } as const;
      const due = { owedSince: createdAt, nextTryAt: createdAt, attempts: 0, ...UNCLAIMED };
      invitations.set(invitation.id, { ...invitation, ...due, acceptedAt: null, mail });
      queueMail(memory, invitation, createdAt);
      return 'added';
    },
    list: async (orgId) =>
      newestFirst(invitations.values())
        .filter((row) => row.orgId === orgId && row.acceptedAt === null)
        .map(({ id, email, name, role, createdAt, expiresAt, mail, invitedBy }) => {
          const inviter = nameOf(users.get(invitedBy));
          return { id, email, name, role, createdAt, expiresAt, mail, inviter };
        }),
    find: async (orgId, invitationId) => {
      const row = invitations.get(invitationId);
      return row?.orgId === orgId ? describeRecord(memory, row) : null;
    },
    renew: async (orgId, invitationId, { at, expiresAt }) => {
      const row = findOpen(orgId, invitationId);
      if (!row) return false;
      const mail = { status: 'owed', answer: null } as const;
      const due = { owedSince: at, nextTryAt: at, attempts: 0, ...endClaim(row) };
      invitations.set(invitationId, { ...row, ...due, expiresAt, mail });
      queueMail(memory, row, at);
      return true;
    },
    withdraw: async (orgId, invitationId) =>
      findOpen(orgId, invitationId) !== undefined && invitations.delete(invitationId),
    accept: async (orgId, invitationId, { at, userId, key, session }) => {
      const row = findOpen(orgId, invitationId);
      const ends = organisations.get(orgId)?.subscriptionExpiresAt ?? null;
      if (!row || row.expiresAt <= at || (ends !== null && ends <= at)) return null;
      const { email, name, role } = row;
      const membership = { orgId, role };
      const joined = joinOrganisation(memory, { id: userId, email, name, membership, createdAt: at }, key);
      if (joined === 'email-taken') return null;
      invitations.set(invitationId, { ...row, acceptedAt: at });
      beginSession(memory, joined.id, session);
      return describeMember(joined)[0] ?? null;
    },
    claimMail: async (orgId, invitationId, now) => {
      const row = findOpen(orgId, invitationId);
      if (row?.mail.status !== 'owed' || row.expiresAt <= now) return { kind: 'settled' };
      const held = heldUntil(row, now);
      if (held) return { kind: 'not-now', at: held };
      if (row.nextTryAt > now) return { kind: 'not-now', at: row.nextTryAt };
      const claimed = { ...row, ...takeClaim(row, now) };
      invitations.set(invitationId, claimed);
      const { email, name, role, expiresAt, owedSince, attempts } = row;
      const organisationName = organisations.get(orgId)?.name ?? '';
      const inviter = nameOf(users.get(row.invitedBy));
      const names = { orgId, organisationName, inviter };
      return {
        kind: 'claimed',
        claimId: claimIdOf(claimed),
        mail: { ...names, role, to: { email, name }, expiresAt, owedSince, attempts },
      };
    },
    settleMail: async (orgId, invitationId, claimId, outcome) => {
      const row = findOpen(orgId, invitationId);
      if (!row || !holdsClaim(row, claimId)) return 'not-held';
      const ended = { ...row, ...endClaim(row) };
      const { kind, answer } = outcome;
      if (kind === 'try-again' || kind === 'postponed') {
        const { nextTryAt } = outcome;
        const mail = { status: 'owed', answer } as const;
        const tried = kind === 'try-again' ? { attempts: row.attempts + 1 } : { owedSince: nextTryAt };
        invitations.set(invitationId, { ...ended, ...tried, nextTryAt, mail });
        queueMail(memory, row, nextTryAt);
      } else {
        invitations.set(invitationId, { ...ended, mail: { status: kind, answer } });
      }
      return 'settled';
    },
    releaseMail: async (orgId, invitationId, claimId) => {
      if (findOpen(orgId, invitationId)) releaseClaim(invitations, invitationId, claimId);
    },
  };
}

/** Anyone who joined in another way has accepted them. */
export function acceptInvitationsOf(
  { invitations }: Memory,
  orgId: string,
  { email, createdAt }: Pick<User, 'email' | 'createdAt'>,
): void {
  for (const row of invitations.values()) {
    if (row.orgId !== orgId || row.acceptedAt !== null || foldEmail(row.email) !== foldEmail(email)) continue;
    invitations.set(row.id, { ...row, acceptedAt: createdAt });
  }
}

function queueMail(
  { jobs }: Memory,
  { orgId, id }: Pick<InvitationRow, 'orgId' | 'id'>,
  startAfter: Date,
): void {
  const job = { kind: 'send-invitation', orgId, invitationId: id, startAfter } as const;
  queueJobs({ jobs }, [job]);
}

function describeRecord({ users, organisations }: Memory, row: InvitationRow): InvitationRecord {
  const { id, orgId, email, name, role, createdAt, expiresAt, acceptedAt } = row;
  const organisation = organisations.get(orgId);
  const user = [...users.values()].find((one) => foldEmail(one.email) === foldEmail(email));
  const memberOf = user?.membership ?? null;
  return {
    ...{ id, orgId, email, name, role, createdAt, expiresAt, acceptedAt },
    organisationName: organisation?.name ?? '',
    subscriptionExpiresAt: organisation?.subscriptionExpiresAt ?? null,
    inviter: nameOf(users.get(row.invitedBy)),
    memberOf: memberOf && {
      orgId: memberOf.orgId,
      organisationName: organisations.get(memberOf.orgId)?.name ?? '',
    },
  };
}

function nameOf(user: Pick<User, 'name' | 'email'> | undefined): string {
  return user?.name ?? user?.email ?? '';
}
