import type { Invitation, InvitationRecord, ListedInvitation } from '../model/invitation.ts';
import type { StoredSession } from '../model/sign-in.ts';
import type { StoredApiKey, TeamMember } from '../model/user.ts';

/**
 * Who is asked to join an organisation. One that was accepted stays a while, so that its link can say so. At most one of
 * an organisation and address (normalized) is open.
 */
export interface Invitations {
  /**
   * Adds an invitation, with the job that mails it, if the inviter's role still may give its role. One for that address
   * that has expired gives way. Looks at nothing outside of the organisation.
   */
  add(invitation: Invitation): Promise<'added' | 'already-invited' | 'already-member' | 'not-allowed'>;
  /** Those that were not accepted, newest first, at most 500; also what has expired. */
  list(orgId: string): Promise<readonly ListedInvitation[]>;
  find(orgId: string, invitationId: string): Promise<InvitationRecord | null>;
  /**
   * Makes it last until `expiresAt`, and queues its mail anew, with its job; a claim of the former one is over.
   * False: it was accepted or withdrawn.
   */
  renew(
    orgId: string,
    invitationId: string,
    renewal: { readonly at: Date; readonly expiresAt: Date },
  ): Promise<boolean>;
  /** False: it was accepted or withdrawn before. */
  withdraw(orgId: string, invitationId: string): Promise<boolean>;
  /**
   * As one: accepts it, makes its person a member as `Users.add` does (under `userId` if that person is new), and begins
   * the session. Null, with nothing changed, if it is not open at `at`, the subscription has expired, or the person is a
   * member of any organisation. Of two at once, one accepts.
   */
  accept(
    orgId: string,
    invitationId: string,
    acceptance: {
      readonly at: Date;
      readonly userId: string;
      readonly key: StoredApiKey;
      readonly session: StoredSession;
    },
  ): Promise<TeamMember | null>;
}

/** Turns an invitation's ids into the link that is mailed, and back. Nothing secret is stored for it. */
export interface InvitationTokens {
  /** Null for anything that we did not seal ourselves, in exactly the one spelling we gave it. */
  open(token: string): { readonly orgId: string; readonly invitationId: string } | null;
  /** The absolute address where it is accepted. */
  url(orgId: string, invitationId: string): string;
}
