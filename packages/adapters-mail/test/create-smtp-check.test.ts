import { expect, it } from 'vitest';
import { createSmtpCheck } from '../src/index.ts';
import { startMailServer } from './mail-server.ts';

it('a check passes while the mail server lets us in, and sends nothing', async () => {
  const server = await startMailServer();
  await createSmtpCheck(server.url)();
  expect(server.received).toEqual([]);
  await server.stop();
  await expect(createSmtpCheck(server.url)()).rejects.toMatchObject({ code: 'ESOCKET' });
});

it('a check rejects when the mail server does not accept the password', async () => {
  const { port } = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      password === 'right' ? done(null, { user: 'shop' }) : done(new Error('Invalid password')),
  });
  await createSmtpCheck(`smtp://shop:right@127.0.0.1:${port}`)();
  await expect(createSmtpCheck(`smtp://shop:wrong@127.0.0.1:${port}`)()).rejects.toMatchObject({
    code: 'EAUTH',
  });
});
