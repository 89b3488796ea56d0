import { normalizeEmail } from '../model/email-address.ts';
import {
  type Invitation,
  type InvitationMailState,
  type InvitationRecord,
  mayGiveRoles,
  type PendingInvitationMail,
} from '../model/invitation.ts';
import { hasExpired } from '../model/organisation.ts';
import type { User } from '../model/user.ts';
import type { Invitations } from '../ports/invitations.ts';
import { endClaim } from './claims.ts';
import { freshEmail } from './fresh-rows.ts';
import { findUser, type Memory, newestFirst, queueEmail, removeInvitation } from './memory.ts';
import type { EmailRow, InvitationRow } from './rows.ts';
import { beginSession } from './sign-in.ts';
import { describeMember, joinOrganisation } from './team.ts';

export function createInMemoryInvitations(memory: Memory): Invitations {
  const { invitations, emails, users, organisations } = memory;
  const findOpen = (orgId: string, invitationId: string) => {
    const row = invitations.get(invitationId);
    return row?.orgId === orgId && row.acceptedAt === null ? row : undefined;
  };
  return {
    add: async (invitation) => addInvitation(memory, invitation),
    list: async (orgId) =>
      newestFirst(invitations.values())
        .filter((row) => row.orgId === orgId && row.acceptedAt === null)
        .map(({ id, email, name, role, createdAt, expiresAt, invitedBy }) => {
          const inviter = nameOf(users.get(invitedBy));
          const mail = describeMail(emails.get(id));
          return { id, email, name, role, createdAt, expiresAt, mail, inviter };
        }),
    find: async (orgId, invitationId) => {
      const row = invitations.get(invitationId);
      return row?.orgId === orgId ? describeRecord(memory, row) : null;
    },
    renew: async (orgId, invitationId, { at, expiresAt }) => {
      const row = findOpen(orgId, invitationId);
      if (!row) return false;
      invitations.set(invitationId, { ...row, expiresAt });
      addEmail(memory, row, at);
      return true;
    },
    withdraw: async (orgId, invitationId) =>
      findOpen(orgId, invitationId) !== undefined && removeInvitation(memory, invitationId),
    accept: async (orgId, invitationId, { at, userId, key, session }) => {
      const row = findOpen(orgId, invitationId);
      const ends = organisations.get(orgId)?.subscriptionExpiresAt ?? null;
      if (!row || row.expiresAt <= at || hasExpired(ends, at)) return null;
      const { email, name, role } = row;
      const membership = { orgId, role };
      const joined = joinOrganisation(memory, { id: userId, email, name, membership, createdAt: at }, key);
      if (joined === 'email-taken') return null;
      invitations.set(invitationId, { ...row, acceptedAt: at });
      beginSession(memory, joined.id, session);
      return describeMember(joined)[0] ?? null;
    },
  };
}

function addInvitation(memory: Memory, invitation: Invitation) {
  const { invitations, users } = memory;
  const { orgId, email, role, createdAt } = invitation;
  const inviter = users.get(invitation.invitedBy)?.membership;
  if (inviter?.orgId !== orgId || !mayGiveRoles(inviter.role, [role])) return 'not-allowed';
  if (findUser(memory, email)?.membership?.orgId === orgId) return 'already-member';
  const former = [...invitations.values()].find(
    (row) =>
      row.orgId === orgId && row.acceptedAt === null && normalizeEmail(row.email) === normalizeEmail(email),
  );
  if (former && former.expiresAt > createdAt) return 'already-invited';
  if (former) removeInvitation(memory, former.id);
  invitations.set(invitation.id, { ...invitation, acceptedAt: null });
  addEmail(memory, invitation, createdAt);
  return 'added';
}

export function prepareInvitation(
  { invitations, organisations, users }: Memory,
  { id, orgId, pendingSince, attempts }: EmailRow,
  now: Date,
): PendingInvitationMail | { readonly kind: 'not-pending' } {
  const row = invitations.get(id);
  if (!row || row.acceptedAt !== null || row.expiresAt <= now) return { kind: 'not-pending' };
  const { email, name, role, expiresAt, invitedBy } = row;
  const organisationName = organisations.get(orgId)?.name ?? '';
  const names = { orgId, organisationName, inviter: nameOf(users.get(invitedBy)) };
  return {
    kind: 'invitation',
    ...{ id, pendingSince, attempts },
    ...names,
    role,
    to: { email, name },
    expiresAt,
  };
}

/** A user who joined in another way has accepted the invitations to their address. */
export function acceptInvitationsOf(
  { invitations }: Memory,
  orgId: string,
  { email, createdAt }: Pick<User, 'email' | 'createdAt'>,
): void {
  for (const row of invitations.values()) {
    if (row.orgId !== orgId || row.acceptedAt !== null || normalizeEmail(row.email) !== normalizeEmail(email))
      continue;
    invitations.set(row.id, { ...row, acceptedAt: createdAt });
  }
}

/** The e-mail has the id of the invitation. It replaces a former e-mail, whose claim ends. */
function addEmail(memory: Memory, { orgId, id }: Pick<InvitationRow, 'orgId' | 'id'>, createdAt: Date): void {
  const former = memory.emails.get(id);
  const email = freshEmail('invitation', { id, orgId, createdAt });
  memory.emails.set(id, { ...email, ...(former && endClaim(former)) });
  queueEmail(memory, email, createdAt);
}

function describeMail(email: EmailRow | undefined): InvitationMailState {
  if (!email) throw new Error('An invitation has an e-mail of its own.');
  return { status: email.status, answer: email.lastAnswer };
}

function describeRecord(memory: Memory, row: InvitationRow): InvitationRecord {
  const { users, organisations } = memory;
  const { id, orgId, email, name, role, createdAt, expiresAt, acceptedAt } = row;
  const organisation = organisations.get(orgId);
  const memberOf = findUser(memory, email)?.membership ?? null;
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
