import { hasExpired } from './organisation.ts';
import type { EmailStatus, PendingEmailFacts } from './pending-email.ts';
import { ROLES, type Role } from './user.ts';

/** How long an invitation can be accepted, from when it was last sent. */
export const INVITATION_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** An offer to join an organisation. It gives no access until the invited person accepts it. */
export interface Invitation {
  readonly id: string;
  readonly orgId: string;
  readonly email: string;
  /** The name that the inviter typed. A user who has a name keeps it. */
  readonly name: string | null;
  readonly role: Role;
  /** The id of the inviting user. */
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The state of the mail. `answer`: the mail server's latest words, or why the mail is postponed. */
export interface InvitationMailState {
  readonly status: EmailStatus;
  readonly answer: string | null;
}

/** An invitation that was not accepted, as the team page lists it. It may have expired. */
export interface ListedInvitation extends Omit<Invitation, 'orgId' | 'invitedBy'> {
  readonly inviter: string;
  readonly mail: InvitationMailState;
}

/** An invitation, and the facts that decide whether it can be accepted. */
export interface InvitationRecord extends Omit<Invitation, 'invitedBy'> {
  readonly organisationName: string;
  readonly subscriptionExpiresAt: Date | null;
  /** The name or address of the inviting user. */
  readonly inviter: string;
  readonly acceptedAt: Date | null;
  /** The organisation of the user of that address; null if there is no such user, or no membership. */
  readonly memberOf: { readonly orgId: string; readonly organisationName: string } | null;
}

/** `gone`: accepted, withdrawn or unknown. The three look alike to the visitor. */
export type InvitationState =
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'already-member' | 'expired' | 'subscription-expired';
      readonly record: InvitationRecord;
    }
  /** The person is a member of another organisation, and a user belongs to at most one. */
  | { readonly kind: 'member-elsewhere'; readonly record: InvitationRecord; readonly elsewhere: string }
  | { readonly kind: 'open'; readonly record: InvitationRecord };

/** What the holder of an invitation's link can do now. The link is mailed to the invited address only. */
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

/** Whether the role `editor` may give, change or take away these roles. Only owners may do so with the role of an owner. */
export function mayGiveRoles(editor: Role, roles: readonly Role[]): boolean {
  return editor === 'owner' || (editor === 'admin' && !roles.includes('owner'));
}

/** Whether `to` has more rights than `from`. */
export function isPromotion(from: Role, to: Role): boolean {
  return ROLES.indexOf(to) < ROLES.indexOf(from);
}

/** The content of an invitation mail, before it is formatted. */
export interface InvitationMail {
  readonly kind: 'invitation';
  /** Different each time the invitation is sent again, so that mail programs do not treat the mail as a duplicate. */
  readonly mailId: string;
  readonly orgId: string;
  readonly organisationName: string;
  readonly inviter: string;
  readonly role: Role;
  readonly to: { readonly email: string; readonly name: string | null };
  readonly url: string;
  readonly expiresAt: Date;
}

/** An invitation mail that was claimed for sending. */
export interface PendingInvitationMail extends Omit<InvitationMail, 'mailId' | 'url'>, PendingEmailFacts {}
