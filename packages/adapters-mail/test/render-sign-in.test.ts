import type { SignInMail } from '@handover/domain';
import { describe, expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { createOutboxMailer, listOutbox, readOutboxMail, renderSignIn } from '../src/index.ts';
import { CLAIM } from './sample-receipt.ts';

const URL = 'https://get.example.com/dashboard/sign-in/blW0AaH8';
const MAIL: SignInMail = {
  kind: 'sign-in',
  mailId: '0192f3a8-c41e-7000-8000-000000000001',
  orgId: null,
  to: { email: 'jana@example.com', name: 'Jana Vogel' },
  url: URL,
  requestedAt: new Date('2026-10-14T12:02:00.000Z'),
};

describe('the mail with a sign-in link', () => {
  it('says how long the link works, and what to do if it was not requested, as HTML and as plain text', () => {
    const { html, text } = renderSignIn(MAIL);
    for (const said of [
      'The link works once, for 15 minutes from 12:02 UTC.',
      'You did not ask for it? Ignore this mail',
      URL,
    ]) {
      expect(html).toContain(said);
      expect(text).toContain(said);
    }
    expect(html.match(/href="/g)).toHaveLength(2);
  });

  it('goes to the user only, from the installation', async () => {
    const directory = await makeTemporaryDirectory();
    const mailer = createOutboxMailer({ directory, from: 'Orders <orders@get.example.com>' });
    expect((await mailer.send(MAIL, CLAIM)).kind).toBe('accepted');
    const [entry] = await listOutbox(directory);
    const mail = await readOutboxMail(directory, entry?.name ?? '');
    expect(mail).toMatchObject({ subject: 'Your link to sign in to Handover' });
    expect(mail?.to).toContain('jana@example.com');
    expect(mail?.from).toContain('Handover');
  });

  it('is refused for an address that cannot receive mail', async () => {
    const mailer = createOutboxMailer({ directory: '/nowhere', from: 'orders@get.example.com' });
    const answer = await mailer.send({ ...MAIL, to: { email: 'jana', name: null } }, CLAIM);
    expect(answer.kind).toBe('refused');
  });
});
