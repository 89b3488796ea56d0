import { expect, it } from 'vitest';
import { createDoctor } from '../src/doctor/examine-installation.ts';
import { readSettings } from '../src/settings/settings.ts';
import { startMailServer } from './support/mail-server.ts';

function openDoctor(smtp: Readonly<Record<string, string>>) {
  const read = readSettings(smtp);
  if ('problems' in read) throw new Error('The settings of the test are wrong.');
  return createDoctor(read.settings, 'postgresql://nobody@127.0.0.1:1/nothing');
}

it('a test mail reaches the mail server, and its answer is accepted, refused or that there was none', async () => {
  const mailServer = await startMailServer();
  const doctor = openDoctor({ SMTP_URL: mailServer.url, MAIL_FROM: 'orders@shop.test' });
  const accepted = await doctor.sendTestMail('me@example.com');
  expect(accepted).toMatchObject({ kind: 'accepted', answer: expect.stringMatching(/^250 /), fix: null });
  expect(mailServer.mails.map(({ subject, to }) => [subject, to?.[0]?.address])).toEqual([
    ['Test mail from Handover', 'me@example.com'],
  ]);

  mailServer.unknown.add('gone@example.com');
  const refused = await doctor.sendTestMail('gone@example.com');
  expect(refused).toMatchObject({ kind: 'refused', answer: '550 No such mailbox' });
  expect(refused.fix).toContain('MAIL_FROM');

  await mailServer.stop();
  const away = await doctor.sendTestMail('me@example.com');
  expect(away).toMatchObject({ kind: 'not-sent', answer: expect.stringContaining('ECONNREFUSED') });
  expect(away.fix).toContain('SMTP_URL');
  expect(mailServer.mails).toHaveLength(1);
});

it('without a mail server, no test mail is sent, and where mails are is said', async () => {
  const result = await openDoctor({}).sendTestMail('me@example.com');
  expect(result).toEqual({ kind: 'not-sent', answer: expect.stringContaining('/dev/mail'), fix: null });
});
