import { classifyInvitation, type InvitationRecord, type InvitationState } from '../model/invitation.ts';
import { newSession } from '../model/sign-in.ts';
import type { StoredApiKey, TeamMember } from '../model/user.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Invitations, InvitationTokens } from '../ports/invitations.ts';
import type { Stores } from '../ports/stores.ts';
import type { SessionTokens } from '../ports/tokens.ts';
import { originOf } from './log-sign-in.ts';

/** Finds the invitation of a link, without accepting it. */
export async function lookAtInvitation(
  ports: {
    readonly clock: Clock;
    readonly invitations: Invitations;
    readonly invitationTokens: InvitationTokens;
  },
  token: string,
): Promise<InvitationState> {
  const named = ports.invitationTokens.open(token);
  if (named === null) return { kind: 'gone' };
  const record = await ports.invitations.find(named.orgId, named.invitationId);
  return classifyInvitation(record, ports.clock.now());
}

type AcceptInvitationResult =
  | { readonly kind: 'accepted'; readonly sessionToken: string; readonly record: InvitationRecord }
  | Exclude<InvitationState, { readonly kind: 'open' }>;

/**
 * Makes the invited person a member, and signs them in: as a new user, or as the existing user of that address. An existing
 * user gets a new API key, and all earlier sessions end, so that no earlier credential gives access to the organisation.
 */
export async function acceptInvitation(
  ports: {
    readonly clock: Clock;
    readonly ids: Ids;
    readonly invitations: Invitations;
    readonly invitationTokens: InvitationTokens;
    readonly sessionTokens: SessionTokens;
    readonly apiKeys: { mint(): { readonly stored: StoredApiKey } };
    readonly inTransaction: Stores['inTransaction'];
  },
  token: string,
  client: string,
): Promise<AcceptInvitationResult> {
  const state = await lookAtInvitation(ports, token);
  if (state.kind !== 'open') return state;
  const { record } = state;
  const at = ports.clock.now();
  const { token: sessionToken, hash } = ports.sessionTokens.mint();
  const accepted = await ports.inTransaction(async ({ invitations, activity }) => {
    const member = await invitations.accept(record.orgId, record.id, {
      at,
      userId: ports.ids.next(),
      key: ports.apiKeys.mint().stored,
      session: newSession(hash, client, at),
    });
    if (member) await activity.add(record.orgId, describeJoining(ports.ids.next(), at, member, client));
    return member !== null;
  });
  if (accepted) return { kind: 'accepted', sessionToken, record };
  // It was accepted or changed concurrently: read its new state.
  const since = await lookAtInvitation(ports, token);
  return since.kind === 'open' ? { kind: 'gone' } : since;
}

/** Accepting starts a session, so the entry has the origin of a sign-in. */
function describeJoining(
  id: string,
  at: Date,
  { id: subjectId, name, email, role }: TeamMember,
  client: string,
) {
  const summary = `${name ? `${name} (${email})` : email} accepted the invitation and joined as ${role}.`;
  return { id, at, kind: 'team-changed', subjectId, summary, actor: email, ...originOf(client) } as const;
}
