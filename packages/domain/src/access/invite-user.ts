import { normalizeEmail, readEmail } from '../model/email-address.ts';
import { INVITATION_LIFETIME_MS, type Invitation, mayGiveRoles } from '../model/invitation.ts';
import type { Role } from '../model/user.ts';
import { type InvalidInput, readName } from '../model/validation.ts';
import type { Throttles } from '../ports/access.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Invitations } from '../ports/invitations.ts';
import { throttle } from './throttle.ts';

/** A member who invites. */
export interface Inviter {
  readonly orgId: string;
  readonly userId: string;
  readonly role: Role;
}

interface InvitePorts {
  readonly clock: Clock;
  readonly invitations: Pick<Invitations, 'add' | 'find' | 'renew' | 'withdraw'>;
  readonly throttles: Throttles;
}

/** No result reveals whether the address is known outside of the inviter's organisation. */
type InviteUserResult =
  | { readonly kind: 'invited'; readonly invitation: Invitation }
  | InvalidInput
  | { readonly kind: 'not-allowed' }
  /** That person is a member of this organisation. */
  | { readonly kind: 'already-member' }
  /** This organisation has an open invitation for that address. */
  | { readonly kind: 'already-invited' }
  | { readonly kind: 'too-often'; readonly until: Date };

/** Mails an invitation to join the organisation. Only the owner of the mailbox can accept it. */
export async function inviteUser(
  ports: InvitePorts & { readonly ids: Ids },
  { orgId, userId, role: ownRole }: Inviter,
  input: { readonly email: string; readonly name: string; readonly role: Role },
): Promise<InviteUserResult> {
  const email = readEmail(input.email);
  if (email === null) return { kind: 'invalid', field: 'email', problem: 'must be an e-mail address' };
  const name = input.name.trim() === '' ? null : readName('name', input.name);
  if (name?.kind === 'invalid') return name;
  if (!mayGiveRoles(ownRole, [input.role])) return { kind: 'not-allowed' };
  const until = await throttleInvitations(ports, orgId, email);
  if (until) return { kind: 'too-often', until };
  const now = ports.clock.now();
  const invitation: Invitation = {
    id: ports.ids.next(),
    orgId,
    email,
    name: name?.value ?? null,
    role: input.role,
    invitedBy: userId,
    createdAt: now,
    expiresAt: new Date(now.getTime() + INVITATION_LIFETIME_MS),
  };
  const outcome = await ports.invitations.add(invitation);
  return outcome === 'added' ? { kind: 'invited', invitation } : { kind: outcome };
}

type ResendInvitationResult =
  | { readonly kind: 'resent' }
  | { readonly kind: 'not-allowed' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'too-often'; readonly until: Date };

/** Mails an invitation again, even if it has expired. It is valid for `INVITATION_LIFETIME_MS` from now on. */
export async function resendInvitation(
  ports: InvitePorts,
  { orgId, role: ownRole }: Inviter,
  invitationId: string,
): Promise<ResendInvitationResult> {
  const record = await ports.invitations.find(orgId, invitationId);
  if (!record || record.acceptedAt !== null) return { kind: 'unknown' };
  if (!mayGiveRoles(ownRole, [record.role])) return { kind: 'not-allowed' };
  const until = await throttleInvitations(ports, orgId, record.email);
  if (until) return { kind: 'too-often', until };
  const at = ports.clock.now();
  const expiresAt = new Date(at.getTime() + INVITATION_LIFETIME_MS);
  return {
    kind: (await ports.invitations.renew(orgId, invitationId, { at, expiresAt })) ? 'resent' : 'unknown',
  };
}

type WithdrawInvitationResult =
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'not-allowed' }
  | { readonly kind: 'unknown' };

/** Withdraws an invitation: it can no longer be accepted. */
export async function withdrawInvitation(
  { invitations }: Pick<InvitePorts, 'invitations'>,
  { orgId, role: ownRole }: Inviter,
  invitationId: string,
): Promise<WithdrawInvitationResult> {
  const record = await invitations.find(orgId, invitationId);
  if (!record || record.acceptedAt !== null) return { kind: 'unknown' };
  if (!mayGiveRoles(ownRole, [record.role])) return { kind: 'not-allowed' };
  return { kind: (await invitations.withdraw(orgId, invitationId)) ? 'withdrawn' : 'unknown' };
}

/** The address comes first, so that a request that is refused for it does not count for the organisation. */
async function throttleInvitations(
  ports: { readonly clock: Clock; readonly throttles: Throttles },
  orgId: string,
  email: string,
): Promise<Date | null> {
  return (
    (await throttle(ports, 'invitationsPerAddress', `${orgId} ${normalizeEmail(email)}`)) ??
    (await throttle(ports, 'invitationsPerOrganisation', orgId))
  );
}
