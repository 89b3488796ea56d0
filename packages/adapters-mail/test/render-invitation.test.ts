import type { InvitationMail } from '@handover/domain';
import { describe, expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { createOutboxMailer, listOutbox, readOutboxMail, renderInvitation } from '../src/index.ts';
import { CLAIM } from './sample-receipt.ts';

const URL = 'https://get.example.com/dashboard/invitations/blW0AaH8';
const MAIL: InvitationMail = {
  kind: 'invitation',
  mailId: '0192f3a8-c41e-7000-8000-000000000001-1760443320000',
  orgId: '0192f3a8-c41e-7000-8000-000000000002',
  organisationName: 'Lumen Audio',
  inviter: 'Mira Okafor',
  role: 'admin',
  to: { email: 'jana@example.com', name: 'Jana Vogel' },
  url: URL,
  expiresAt: new Date('2026-10-21T12:02:00.000Z'),
};

describe('the mail of an invitation', () => {
  it('names the inviter, the shop, the purpose and the expiry, as HTML and as plain text', () => {
    const { subject, html, text } = renderInvitation(MAIL);
    expect(subject).toBe('Mira Okafor invites you to Lumen Audio on Handover');
    for (const said of [
      'Mira Okafor invites you to the team of Lumen Audio, as an admin.',
      'With Handover, Lumen Audio delivers its digital products to buyers.',
      'The invitation is valid for 7 days, until 21 October 2026 at 12:02 UTC.',
      'You do not know Mira Okafor or Lumen Audio? Then ignore this mail',
      URL,
    ]) {
      expect(html).toContain(said);
      expect(text).toContain(said);
    }
    expect(html.match(/href="/g)).toHaveLength(2);
  });

  it('escapes names and keeps them on one line', () => {
    const hostile = '<b>\u202eShop\r\nBcc: all@example.com';
    const { subject, html } = renderInvitation({ ...MAIL, organisationName: hostile, inviter: hostile });
    expect(subject).not.toMatch(/[\r\n\u202e]/);
    expect(html).not.toContain('<b>');
    expect(html).not.toContain('\u202e');
  });

  it('goes to the invited person only, from the installation', async () => {
    const directory = await makeTemporaryDirectory();
    const mailer = createOutboxMailer({ directory, from: 'Orders <orders@get.example.com>' });
    expect((await mailer.send(MAIL, CLAIM)).kind).toBe('accepted');
    const [entry] = await listOutbox(directory);
    const mail = await readOutboxMail(directory, entry?.name ?? '');
    expect(mail?.to).toContain('jana@example.com');
    expect(mail?.from).toContain('Handover');
    const refused = await mailer.send({ ...MAIL, to: { email: 'jana', name: null } }, CLAIM);
    expect(refused.kind).toBe('refused');
  });
});
