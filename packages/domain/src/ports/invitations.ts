import type { Invitation, InvitationRecord, ListedInvitation } from '../model/invitation.ts';
import type { StoredSession } from '../model/sign-in.ts';
import type { StoredApiKey, TeamMember } from '../model/user.ts';

/**
 * Invitations to join an organisation. An accepted one is kept for a while, so that its link can say so. An organisation
 * has at most one open invitation for an address (normalized).
 */
export interface Invitations {
  /**
   * Adds an invitation, with the job that mails it, if the inviter's role may still grant its role. It replaces an
   * expired one for that address. Reads nothing outside the organisation.
   */
  add(invitation: Invitation): Promise<'added' | 'already-invited' | 'already-member' | 'not-allowed'>;
  /** Invitations that were not accepted, including expired ones, newest first, at most 500. */
  list(orgId: string): Promise<readonly ListedInvitation[]>;
  find(orgId: string, invitationId: string): Promise<InvitationRecord | null>;
  /**
   * Extends the invitation to `expiresAt`, and queues its mail again, with its job; a claim of the former mail ends.
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
   * Accepts the invitation, makes the person a member as `Users.add` does (with the id `userId` if the person is new),
   * and starts the session, atomically. Null, with nothing changed: the invitation is not open at `at`, the subscription
   * has expired, or the person is a member of any organisation. Of two concurrent calls, one accepts.
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
