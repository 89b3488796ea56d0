import { describe, expect, it } from 'vitest';
import { createSmtpMailer } from '../src/index.ts';
import { startMailServer, startRawServer } from './mail-server.ts';
import { FROM, openMailer } from './open-mailer.ts';
import { CLAIM, sampleReceipt } from './sample-receipt.ts';

describe('a server that is unreachable', () => {
  it('is reported at once, and gets the receipt when it is back', async () => {
    const first = await startMailServer();
    const mailer = openMailer(first);
    expect((await mailer.send(sampleReceipt(), CLAIM)).kind).toBe('accepted');
    await first.stop();
    const began = performance.now();
    const away = await mailer.send(sampleReceipt(), CLAIM);
    expect(away).toEqual({ kind: 'try-again', answer: expect.stringContaining('ECONNREFUSED') });
    expect(performance.now() - began).toBeLessThan(5000);
    const second = await startMailServer({}, first.port);
    expect((await mailer.send(sampleReceipt(), CLAIM)).kind).toBe('accepted');
    expect(second.received).toHaveLength(1);
  });
});

describe('a server that hangs', () => {
  it('before its greeting reaches the greeting timeout', async () => {
    const url = await startRawServer(() => {});
    const timeouts = { connection: 2000, greeting: 50 };
    expect(await openMailer({ url, timeouts }).send(sampleReceipt(), CLAIM)).toEqual({
      kind: 'try-again',
      answer: 'The mail server did not answer in time: Greeting never received.',
    });
  });

  it('later reaches the timeout for silence', async () => {
    const url = await startRawServer((line, socket) => {
      if (line === '') socket.write('220 hello\r\n');
      if (line.startsWith('EHLO')) socket.write('250 ok\r\n');
    });
    expect((await openMailer({ url, timeouts: { silence: 50 } }).send(sampleReceipt(), CLAIM)).answer).toBe(
      'The mail server did not answer in time: Timeout.',
    );
  });

  it('is disconnected after a while, even if it keeps sending slowly', async () => {
    const url = await startRawServer((line, socket) => {
      if (line === '') socket.write('220 hello\r\n');
      if (!line.startsWith('EHLO')) return;
      const trickle = setInterval(() => socket.write('250-more\r\n'), 5);
      socket.on('close', () => clearInterval(trickle));
    });
    const mailer = openMailer({ url, timeouts: { mail: 100 } });
    expect(await mailer.send(sampleReceipt(), CLAIM)).toEqual({
      kind: 'try-again',
      answer: 'The mail server did not take the mail in 0.1 s.',
    });
  });
});

describe('closing', () => {
  it('waits for the mail in progress, and accepts no more', async () => {
    const gate = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const server = await startMailServer({
      onRcptTo: (_to, _session, done) => {
        arrived.resolve();
        gate.promise.then(() => done());
      },
    });
    const mailer = createSmtpMailer({ isClaimSure: () => true, connections: 5, url: server.url, from: FROM });
    const sending = mailer.send(sampleReceipt(), CLAIM);
    await arrived.promise;
    const closing = mailer.close();
    expect(await mailer.send(sampleReceipt(), CLAIM)).toEqual({
      kind: 'try-again',
      answer: 'The program is stopping.',
    });
    gate.resolve();
    await closing;
    expect((await sending).kind).toBe('accepted');
    expect(server.received).toHaveLength(1);
  });

  it('does not wait for ever', async () => {
    const url = await startRawServer(() => {});
    const mailer = createSmtpMailer({
      isClaimSure: () => true,
      connections: 5,
      url,
      from: FROM,
      timeouts: { closing: 20 },
    });
    const sending = mailer.send(sampleReceipt(), CLAIM);
    await mailer.close();
    expect(await sending).toEqual({
      kind: 'try-again',
      answer: 'The program stopped before the mail server answered.',
    });
  });
});
