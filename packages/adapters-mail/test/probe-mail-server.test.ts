import { expect, it } from 'vitest';
import { createSmtpCheck, probeMailServer } from '../src/index.ts';
import { reply, startMailServer } from './mail-server.ts';
import { FROM } from './open-mailer.ts';

const TO = 'me@example.com';

it('says that the mail server answers, and sends nothing', async () => {
  const { url, received } = await startMailServer();
  expect(await probeMailServer({ url, from: FROM }, null)).toEqual({ kind: 'ready' });
  expect(received).toEqual([]);
});

it('sends a test mail from the installation’s own address', async () => {
  const { url, received } = await startMailServer();
  const probe = await probeMailServer({ url, from: FROM }, TO);
  expect(probe).toMatchObject({
    kind: 'mailed',
    to: TO,
    answer: { kind: 'accepted', answer: expect.stringMatching(/^250/) },
  });
  expect(received).toMatchObject([{ from: 'orders@get.lumen.audio', to: [TO] }]);
  expect(received[0]?.raw).toContain('Subject: Test mail from Handover');
});

it('repeats why a test mail was refused', async () => {
  const { url } = await startMailServer({
    onRcptTo: (_to, _session, done) => done(reply(550, '5.7.1 relaying denied')),
  });
  expect(await probeMailServer({ url, from: FROM }, TO)).toMatchObject({
    kind: 'mailed',
    answer: { answer: expect.stringContaining('relaying denied') },
  });
});

it('tells a wrong password from a server that is away, and shows no password', async () => {
  const { url } = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(reply(535, 'authentication failed')),
  });
  const wrong = url.replace('smtp://', 'smtp://user:hush-hush@');
  const refused = await probeMailServer({ url: wrong, from: FROM }, TO);
  expect(refused).toMatchObject({ kind: 'failed', at: 'sign-in' });
  expect(JSON.stringify(refused)).not.toContain('hush-hush');
  const away = await probeMailServer({ url: 'smtp://127.0.0.1:1', from: FROM }, TO);
  expect(away).toMatchObject({ kind: 'failed', at: 'connection' });
});

it('signs in where the check of the mail server does, and nowhere else', async () => {
  const { url } = await startMailServer({ disabledCommands: ['AUTH', 'STARTTLS'] });
  for (const [user, kind] of [
    ['', 'ready'],
    ['user@', 'ready'],
    ['user:pass@', 'failed'],
  ]) {
    const named = url.replace('smtp://', `smtp://${user}`);
    const probe = await probeMailServer({ url: named, from: FROM }, null);
    const check = await createSmtpCheck(named)().then(
      () => 'ready',
      () => 'failed',
    );
    expect([user, probe.kind, check]).toEqual([user, kind, kind]);
  }
});
