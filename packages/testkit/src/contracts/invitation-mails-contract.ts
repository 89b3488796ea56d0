import {
  type EmailMessage,
  type MailAnswer,
  resendInvitation,
  sendEmail,
  withdrawInvitation,
} from '@handover/domain';
import { claimEmail, claimIdOf } from '../complete-emails.ts';
import { prepare } from '../runner.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { DAY, invitationJobs, openInviter } from './invite.ts';

/** The mail of an invitation. */
export function invitationMailsContract(runner: StoresRunner): void {
  const { describe, it, expect, open } = prepare(runner, openMail);

  describe('the mail of an invitation', () => {
    it('names inviter, organisation and role, and is sent once', async (opened) => {
      expect(await opened.send('accepted')).toMatchObject({ kind: 'answered', isGivenUp: false });
      const expiresAt = new Date(opened.clock.now().getTime() + 7 * DAY);
      expect(opened.sent).toEqual([
        {
          kind: 'invitation',
          mailId: `${opened.id}-${opened.clock.now().getTime()}`,
          orgId: opened.orgId,
          organisationName: 'Lumen Audio',
          inviter: opened.inviterName,
          role: 'member',
          to: { email: 'jo@example.com', name: 'Jo' },
          url: opened.invitationTokens.url(opened.orgId, opened.id),
          expiresAt,
        },
      ]);
      expect(await opened.state()).toEqual({ status: 'sent', answer: 'accepted' });
      expect(await opened.send('accepted')).toEqual({ kind: 'not-pending' });
    });

    it('is tried again with growing pauses, and shows the latest answer', async (opened) => {
      const startedAt = opened.clock.now().getTime();
      // A worker removes the job of the e-mail that it claimed.
      await opened.dropJobs(await opened.queuedJobs());
      await opened.send('try-again');
      expect(await opened.state()).toEqual({ status: 'pending', answer: 'try-again' });
      expect((await opened.send('accepted')).kind).toBe('not-now');
      const due = (await invitationJobs(opened)).map(({ startAfter }) => startAfter.getTime() - startedAt);
      expect(due).toEqual([5000]);
      opened.clock.advance(5000);
      expect((await opened.send('accepted')).kind).toBe('answered');
    });

    it('that is refused says so, and goes out again when it is asked for', async (opened) => {
      expect(await opened.send('refused')).toMatchObject({ isGivenUp: true });
      expect(await opened.state()).toEqual({ status: 'refused', answer: 'refused' });
      await resendInvitation(opened, opened.inviter, opened.id);
      expect(await opened.state()).toEqual({ status: 'pending', answer: null });
      expect((await opened.send('accepted')).kind).toBe('answered');
    });

    it('is not sent for an invitation that is withdrawn, accepted or expired', async (withdrawn) => {
      await withdrawInvitation(withdrawn, withdrawn.inviter, withdrawn.id);
      expect(await withdrawn.send('accepted')).toEqual({ kind: 'not-pending' });
      const accepted = await open();
      await accepted.accept(accepted.id);
      expect(await accepted.send('accepted')).toEqual({ kind: 'not-pending' });
      const expired = await open();
      expired.clock.advance(7 * DAY);
      expect(await expired.send('accepted')).toEqual({ kind: 'not-pending' });
    });

    it('that is asked for again while it is being sent goes out again: the former claim is over', async (opened) => {
      const { outgoingEmails } = opened;
      const former = await claimEmail(opened, opened.orgId, opened.id, opened.clock.now());
      await resendInvitation(opened, opened.inviter, opened.id);
      const sent = { kind: 'sent', at: opened.clock.now(), answer: '250' } as const;
      expect(await outgoingEmails.complete(opened.orgId, opened.id, claimIdOf(former), sent)).toBe(
        'not-held',
      );
      expect((await opened.send('accepted')).kind).toBe('answered');
    });
  });
}

async function openMail(opened: OpenedShop) {
  const inviter = await openInviter(opened);
  const id = await inviter.invited('jo@example.com');
  const sent: EmailMessage[] = [];
  return {
    ...inviter,
    id,
    sent,
    send: (kind: MailAnswer['kind']) => {
      const send = async (mail: EmailMessage) => {
        sent.push(mail);
        return { kind, answer: kind };
      };
      return sendEmail({ ...inviter, mailer: { send } }, { orgId: inviter.orgId, emailId: id });
    },
    state: async () => (await inviter.invitations.list(inviter.orgId))[0]?.mail,
  };
}
