import { hasExpired } from './organisation.ts';
import type { EmailStatus, PendingEmailFacts } from './pending-email.ts';
import { ROLES, type Role } from './user.ts';

/** How long an invitation can be accepted, from when it was last sent. */
export const INVITATION_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** Somebody is asked to join an organisation. Joining is that person's own decision: nothing is theirs before. */
export interface Invitation {
  readonly id: string;
  readonly orgId: string;
  readonly email: string;
  /** What the inviter calls them; a user who has a name keeps it. */
  readonly name: string | null;
  readonly role: Role;
  /** The user who invites. */
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What became of the mail. `answer`: the mail server's latest words, or ours on why the mail waits. */
export interface InvitationMailState {
  readonly status: EmailStatus;
  readonly answer: string | null;
}

/** An invitation that was not accepted yet, as the team page lists it. It may have expired. */
export interface ListedInvitation extends Omit<Invitation, 'orgId' | 'invitedBy'> {
  readonly inviter: string;
  readonly mail: InvitationMailState;
}

/** An invitation with all that decides whether it can be accepted. */
export interface InvitationRecord extends Omit<Invitation, 'invitedBy'> {
  readonly organisationName: string;
  readonly subscriptionExpiresAt: Date | null;
  /** The name or address of the inviting user. */
  readonly inviter: string;
  readonly acceptedAt: Date | null;
  /** Where the user of that address is a member now. */
  readonly memberOf: { readonly orgId: string; readonly organisationName: string } | null;
}

/** `gone`: accepted, withdrawn or none of ours; they are not told apart. */
export type InvitationState =
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'already-member' | 'expired' | 'subscription-expired';
      readonly record: InvitationRecord;
    }
  /** The person is a member of another organisation, and a user belongs to at most one. */
  | { readonly kind: 'member-elsewhere'; readonly record: InvitationRecord; readonly elsewhere: string }
  | { readonly kind: 'open'; readonly record: InvitationRecord };

/** What the holder of an invitation's link can do now. Only the invited person's mailbox has the link. */
export function classifyInvitation(record: InvitationRecord | null, now: Date): InvitationState {
  if (record === null) return { kind: 'gone' };
  const { memberOf, subscriptionExpiresAt } = record;
  if (memberOf?.orgId === record.orgId) return { kind: 'already-member', record };
  if (record.acceptedAt !== null) return { kind: 'gone' };
  if (record.expiresAt <= now) return { kind: 'expired', record };
  if (memberOf !== null) return { kind: 'member-elsewhere', record, elsewhere: memberOf.organisationName };
  if (hasExpired(subscriptionExpiresAt, now)) return { kind: 'subscription-expired', record };
  return { kind: 'open', record };
}

/** Whether somebody of that role may give, change or take away the others. Only owners make owners. */
export function mayGiveRoles(editor: Role, roles: readonly Role[]): boolean {
  return editor === 'owner' || (editor === 'admin' && !roles.includes('owner'));
}

/** Whether the second role may do more than the first. */
export function isPromotion(from: Role, to: Role): boolean {
  return ROLES.indexOf(to) < ROLES.indexOf(from);
}

/** All that the mail says. */
export interface InvitationMail {
  readonly kind: 'invitation';
  /** Another one each time that the invitation is sent again, or mail programs would take it for a copy. */
  readonly mailId: string;
  readonly orgId: string;
  readonly organisationName: string;
  readonly inviter: string;
  readonly role: Role;
  readonly to: { readonly email: string; readonly name: string | null };
  readonly url: string;
  readonly expiresAt: Date;
}

/** A mail that is to be sent now. */
export interface PendingInvitationMail extends Omit<InvitationMail, 'mailId' | 'url'>, PendingEmailFacts {}
