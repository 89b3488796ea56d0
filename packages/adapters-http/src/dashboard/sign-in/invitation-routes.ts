import {
  acceptInvitation,
  type InvitationRecord,
  type InvitationState,
  lookAtInvitation,
} from '@handover/domain';
import { html } from '@handover/html';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRoute, page } from '../dashboard-route.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { longText } from '../parts/long-text.ts';
import { dayOf } from '../parts/time.ts';
import { ROLE_WORDS } from '../settings/team-words.ts';
import { CUT_LINK, signInCard } from './sign-in-pages.ts';

type Ports = Pick<
  HttpPorts,
  'apiKeys' | 'clock' | 'ids' | 'inTransaction' | 'invitationTokens' | 'invitations' | 'sessionTokens'
>;

/** Handles the link of an invitation mail. */
export function acceptRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    // Mail scanners open every link, so a GET only shows a button.
    page('/invitations/:token', 'anyone', async ({ params: { token } }) =>
      describeState(token, await lookAtInvitation(ports, token)),
    ),

    action('/invitations/:token', 'anyone', async ({ params: { token }, client, addLogContext }) => {
      const result = await acceptInvitation(ports, token, client);
      if (result.kind !== 'accepted') {
        addLogContext({ reason: `An invitation was refused: ${result.kind}.` });
        return describeState(token, result);
      }
      return {
        kind: 'redirect',
        to: '/dashboard',
        session: { begins: result.sessionToken },
        toast: { title: `You have joined ${result.record.organisationName}` },
      };
    }),
  ];
}

function describeState(token: string, state: InvitationState): Answer {
  switch (state.kind) {
    case 'gone':
      return goneInvitationPage();
    case 'already-member':
      return alreadyMemberPage(state.record);
    case 'expired':
      return expiredInvitationPage(state.record);
    case 'subscription-expired':
      return waitingInvitationPage(state.record);
    case 'member-elsewhere':
      return memberElsewherePage(state.record, state.elsewhere);
    case 'open':
      return openInvitationPage(token, state.record);
  }
}

const RIGHTS = {
  owner: 'You will see and change everything there.',
  admin: 'You will see and change everything there, except the owners.',
  member: 'You will work on products and their files.',
} as const;

/** The inviter, the organisation and the role, with the button that accepts. */
export function openInvitationPage(token: string, record: InvitationRecord): Answer {
  const { organisationName, inviter, role, email, expiresAt } = record;
  return signInCard(
    200,
    `Join ${organisationName}`,
    html`<p class="lead"><strong>${longText(inviter)}</strong> invites you to the team of <strong><bdi>${organisationName}</bdi></strong>, as ${ROLE_WORDS[role]}. ${RIGHTS[role]}</p>
<p class="lead">You join as <strong>${longText(email)}</strong>, and this browser is signed in.</p>
<form class="form" method="post" action="/dashboard/invitations/${encodeURIComponent(token)}">${submitButton({ words: 'Accept the invitation', primary: true })}</form>`,
    html`The invitation is valid until ${dayOf(expiresAt)}. If you do not want it, close this page: nothing happens.`,
  );
}

export function alreadyMemberPage({ organisationName, email }: InvitationRecord): Answer {
  return signInCard(
    200,
    `You are in the team of ${organisationName}`,
    html`<p class="lead"><strong>${longText(email)}</strong> is a member already, so there is nothing left to accept.</p>
${linkButton('/dashboard', { words: 'Open the dashboard', primary: true })}`,
    'Not signed in here? You are asked for your address, and mailed a link.',
  );
}

/** The owner of the mailbox learns the reason; the inviter does not. */
export function memberElsewherePage(
  { organisationName, email, inviter }: InvitationRecord,
  elsewhere: string,
): Answer {
  return signInCard(
    409,
    'You belong to another organisation',
    html`<p class="lead"><strong>${longText(email)}</strong> is in the team of <strong><bdi>${elsewhere}</bdi></strong>, and a user belongs to one organisation at most. So the invitation to <strong><bdi>${organisationName}</bdi></strong> waits.</p>
<p class="lead">Leave <bdi>${elsewhere}</bdi> first, under Settings, Security. Then open this link again. Or ask ${longText(inviter)} to invite another address of yours.</p>
${linkButton('/dashboard', { words: 'Open the dashboard' })}`,
    'Nothing was changed, and nobody but you sees this.',
  );
}

export function expiredInvitationPage({ organisationName, inviter }: InvitationRecord): Answer {
  return signInCard(
    410,
    'This invitation has expired',
    html`<p class="lead">It was valid for 7 days. Ask <strong>${longText(inviter)}</strong> of <strong><bdi>${organisationName}</bdi></strong> to send it again: then this link works again.</p>`,
    'Nothing was changed.',
  );
}

export function waitingInvitationPage({ organisationName, inviter }: InvitationRecord): Answer {
  return signInCard(
    409,
    'This invitation has to wait',
    html`<p class="lead">The subscription of <strong><bdi>${organisationName}</bdi></strong> has expired, so nobody can join now. Ask <strong>${longText(inviter)}</strong>; once it is renewed, open this link again.</p>`,
    'Nothing was changed.',
  );
}

export function goneInvitationPage(): Answer {
  return signInCard(
    410,
    'This invitation cannot be accepted',
    html`<p class="lead">It was withdrawn or used, or the link is not whole. Ask the person who invited you for another.</p>
${linkButton('/dashboard/sign-in', { words: 'Sign in' })}`,
    CUT_LINK,
  );
}
