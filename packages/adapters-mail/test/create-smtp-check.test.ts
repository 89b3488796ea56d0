import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createSmtpCheck, probeMailServer } from '../src/index.ts';
import { startMailServer, startRawServer } from './mail-server.ts';
import { FROM } from './open-mailer.ts';

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

/** A server whose answer to EHLO never ends. */
async function startTrickle() {
  const closed = Promise.withResolvers<void>();
  const url = await startRawServer((line: string, socket: Socket) => {
    if (line === '') socket.write('220 hello\r\n');
    if (!line.startsWith('EHLO')) return;
    const trickle = setInterval(() => socket.write('250-more\r\n'), 5);
    socket.on('close', () => {
      clearInterval(trickle);
      closed.resolve();
    });
  });
  return { url, closed: closed.promise };
}

it('a check gives up, and hangs up, although the mail server keeps sending slowly', async () => {
  const { url, closed } = await startTrickle();
  await expect(createSmtpCheck(url, 100)()).rejects.toThrow('did not let us in within 0.1 s');
  await closed;
});

it('a trial gives up, and hangs up, although the mail server keeps sending slowly', async () => {
  const { url, closed } = await startTrickle();
  const timeouts = { connection: 1000, greeting: 1000, silence: 1000, mail: 100 };
  expect(await probeMailServer({ url, from: FROM }, 'me@example.com', timeouts)).toEqual({
    kind: 'failed',
    at: 'connection',
    answer: expect.stringContaining('did not let us in within 0.1 s'),
  });
  await closed;
});
