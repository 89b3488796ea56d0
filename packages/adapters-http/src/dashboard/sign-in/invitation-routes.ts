import { acceptInvitation, type InvitationState, lookAtInvitation } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRoute, page } from '../dashboard-route.ts';
import {
  alreadyMemberPage,
  expiredInvitationPage,
  goneInvitationPage,
  memberElsewherePage,
  openInvitationPage,
  waitingInvitationPage,
} from './invitation-pages.ts';

type Ports = Pick<
  HttpPorts,
  'apiKeys' | 'clock' | 'ids' | 'inTransaction' | 'invitationTokens' | 'invitations' | 'sessionTokens'
>;

/** Handles the link of an invitation mail. */
export function acceptRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    // Mail scanners open every link, so a GET only shows a button.
    page('/invitations/:token', 'anyone', async ({ params: { token = '' } }) =>
      describeState(token, await lookAtInvitation(ports, token)),
    ),

    action('/invitations/:token', 'anyone', async ({ params: { token = '' }, client, addLogContext }) => {
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
