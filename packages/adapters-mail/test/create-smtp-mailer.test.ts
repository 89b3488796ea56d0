import { Socket } from 'node:net';
import PostalMime from 'postal-mime';
import { describe, expect, it, vi } from 'vitest';
import { createSmtpMailer } from '../src/index.ts';
import { reply, startMailServer, startRawServer } from './mail-server.ts';
import { FROM, openMailer } from './open-mailer.ts';
import { CLAIM, sampleItem, sampleReceipt } from './sample-receipt.ts';

describe('a receipt that the server accepts', () => {
  it('arrives with its headers, and the answer quotes the server', async () => {
    const server = await startMailServer();
    const answer = await openMailer(server).send(sampleReceipt(), CLAIM);
    expect(answer).toEqual({ kind: 'accepted', answer: expect.stringMatching(/^250 /) });
    const [mail] = server.received;
    expect(mail).toMatchObject({ from: 'orders@get.lumen.audio', to: ['ana.lima@example.com'] });
    const email = await PostalMime.parse(mail?.raw ?? '');
    expect(email).toMatchObject({
      from: { name: 'Lumen Audio', address: 'orders@get.lumen.audio' },
      to: [{ name: 'Ana Lima', address: 'ana.lima@example.com' }],
      replyTo: [{ name: 'Lumen Audio', address: 'help@lumen.audio' }],
      subject: 'Your download: Felt Piano',
      messageId: '<receipt-0192f3a8-c41e-7000-8000-000000000001@get.lumen.audio>',
      html: expect.stringContaining('Felt Piano is ready.'),
      text: expect.stringContaining(sampleItem().downloadUrl),
      attachments: [],
    });
    const headers = new Map(email.headers.map(({ key, value }) => [key, value]));
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(headers.get('x-auto-response-suppress')).toBe('OOF, AutoReply');
    expect(headers.get('content-language')).toBe('en-GB');
    expect(headers.has('x-mailer')).toBe(false);
    expect(headers.has('date')).toBe(true);
  });

  it('has no Reply-To when the organisation takes no replies', async () => {
    const server = await startMailServer();
    const organisation = { name: 'Lumen Audio', replyTo: null };
    await openMailer(server).send(sampleReceipt({ organisation }), CLAIM);
    expect((await PostalMime.parse(server.received[0]?.raw ?? '')).replyTo).toBeUndefined();
  });

  it('is the same message on each attempt', async () => {
    const server = await startMailServer();
    const mailer = openMailer(server);
    await mailer.send(sampleReceipt(), CLAIM);
    await mailer.send(sampleReceipt(), CLAIM);
    await mailer.send(sampleReceipt({ mailId: '0192f3a8-c41e-7000-8000-000000000002' }), CLAIM);
    const emails = await Promise.all(server.received.map(({ raw }) => PostalMime.parse(raw)));
    expect(emails[0]?.messageId).toBe(emails[1]?.messageId);
    expect(emails[0]?.messageId).not.toBe(emails[2]?.messageId);
  });

  it.each([1, 3])('can be one of twenty at once, over at most %i connections', async (limit) => {
    let connections = 0;
    const server = await startMailServer({
      onConnect: (_session, done) => {
        connections += 1;
        done();
      },
    });
    const mailer = openMailer({ url: server.url, connections: limit });
    const receipts = Array.from({ length: 20 }, (_, at) => sampleReceipt({ mailId: `receipt-${at}` }));
    const answers = await Promise.all(receipts.map((receipt) => mailer.send(receipt, CLAIM)));
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['accepted']));
    expect(server.received).toHaveLength(20);
    expect(connections).toBe(limit);
  });

  it('is written to the server in a few writes', async () => {
    const server = await startMailServer();
    const mailer = openMailer(server);
    const written = vi.spyOn(Socket.prototype, '_write');
    const receipt = sampleReceipt({ items: Array.from({ length: 30 }, () => sampleItem()) });
    expect((await mailer.send(receipt, CLAIM)).kind).toBe('accepted');
    const pieces = written.mock.calls.map(([piece]: unknown[]) => String(piece));
    written.mockRestore();
    expect(pieces.filter((piece) => piece.includes('Felt Piano'))).toHaveLength(1);
  });

  it('is authenticated when the server’s URL has credentials', async () => {
    const users: unknown[] = [];
    const server = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        users.push([username, password]);
        done(null, { user: username });
      },
    });
    const url = `smtp://orders%40lumen.audio:p%3Ass%2Fword@127.0.0.1:${server.port}`;
    expect((await openMailer({ url }).send(sampleReceipt(), CLAIM)).kind).toBe('accepted');
    expect(users).toEqual([['orders@lumen.audio', 'p:ss/word']]);
  });
});

describe('a 5xx about the recipient or the message', () => {
  it('at RCPT TO is final, and the answer quotes the server', async () => {
    const server = await startMailServer({
      onRcptTo: (_address, _session, done) => done(reply(550, '5.1.1 No such user here')),
    });
    expect(await openMailer(server).send(sampleReceipt(), CLAIM)).toEqual({
      kind: 'refused',
      answer: '550 5.1.1 No such user here',
    });
  });

  it('after the message is final', async () => {
    const server = await startMailServer({
      onData: (stream, _session, done) => {
        stream.resume().on('end', () => done(reply(554, '5.7.1 Message looks like spam')));
      },
    });
    expect(await openMailer(server).send(sampleReceipt(), CLAIM)).toEqual({
      kind: 'refused',
      answer: '554 5.7.1 Message looks like spam',
    });
  });

  it('does not break the connection for the next receipt', async () => {
    const server = await startMailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('nobody') ? reply(550, 'No such user') : null),
    });
    const mailer = openMailer(server);
    const to = { email: 'nobody@example.com', name: '' };
    expect((await mailer.send(sampleReceipt({ to }), CLAIM)).kind).toBe('refused');
    expect((await mailer.send(sampleReceipt(), CLAIM)).kind).toBe('accepted');
  });

  it('is not needed for an address that cannot receive mail', async () => {
    const mailer = openMailer({ url: 'smtp://127.0.0.1:1' });
    const to = { email: 'ana@example.com>\r\nRCPT TO:<eve@example.com', name: 'Ana' };
    expect(await mailer.send(sampleReceipt({ to }), CLAIM)).toEqual({
      kind: 'refused',
      answer: 'No mail can be sent to the address “ana@example.com> RCPT TO:<eve@example.com”.',
    });
  });
});

describe('a temporary failure is retried', () => {
  it.each([
    [450, '4.2.1 Greylisted, come back later'],
    [452, '4.2.2 Mailbox full'],
    [421, 'Closing down'],
    [552, '5.2.2 Mailbox over quota'],
    [550, '5.4.5 Daily sending limit exceeded'],
    [530, '5.7.0 Authentication required'],
    [554, '5.7.1 <ana.lima@example.com>: Relay access denied'],
    [503, 'Bad sequence of commands'],
  ])('%i %s at RCPT TO', async (code, words) => {
    const server = await startMailServer({ onRcptTo: (_to, _session, done) => done(reply(code, words)) });
    const answer = await openMailer(server).send(sampleReceipt(), CLAIM);
    expect(answer).toEqual({ kind: 'try-again', answer: `${code} ${words}` });
  });

  it('4xx after the message', async () => {
    const server = await startMailServer({
      onData: (stream, _session, done) => {
        stream.resume().on('end', () => done(reply(451, '4.3.0 Local error')));
      },
    });
    expect(await openMailer(server).send(sampleReceipt(), CLAIM)).toEqual({
      kind: 'try-again',
      answer: '451 4.3.0 Local error',
    });
  });

  it('5xx at MAIL FROM', async () => {
    const server = await startMailServer({
      onMailFrom: (_from, _session, done) => done(reply(550, '5.7.1 Sender not allowed')),
    });
    expect(await openMailer(server).send(sampleReceipt(), CLAIM)).toEqual({
      kind: 'try-again',
      answer: '550 5.7.1 Sender not allowed',
    });
  });

  it('5xx at authentication, without repeating the credentials', async () => {
    const token = Buffer.from('\0orders@lumen.audio\0sesame!').toString('base64');
    const server = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(reply(535, `5.7.8 Not with sesame! or ${token}`)),
    });
    const url = `smtp://orders%40lumen.audio:sesame!@127.0.0.1:${server.port}`;
    expect(await openMailer({ url }).send(sampleReceipt(), CLAIM)).toEqual({
      kind: 'try-again',
      answer: '535 5.7.8 Not with ••• or •••',
    });
  });

  it('credentials for a server without authentication', async () => {
    const server = await startMailServer({ disabledCommands: ['STARTTLS', 'AUTH'] });
    const url = `smtp://orders:sesame@127.0.0.1:${server.port}`;
    expect((await openMailer({ url }).send(sampleReceipt(), CLAIM)).kind).toBe('try-again');
    expect(server.received).toEqual([]);
  });

  it('5xx at the greeting', async () => {
    const url = await startRawServer((_line, socket) => socket.end('554 5.3.2 Not today\r\n'));
    expect(await openMailer({ url }).send(sampleReceipt(), CLAIM)).toEqual({
      kind: 'try-again',
      answer: '554 5.3.2 Not today',
    });
  });

  it('a connection that breaks midway', async () => {
    const url = await startRawServer((line, socket) => {
      if (line.startsWith('RCPT')) socket.destroy();
      else if (line === '') socket.write('220 hello\r\n');
      else socket.write('250 ok\r\n');
    });
    const answer = await openMailer({ url }).send(sampleReceipt(), CLAIM);
    expect(answer).toEqual({
      kind: 'try-again',
      answer: expect.stringMatching(/^No connection to the mail/),
    });
  });

  it('an untrusted certificate', async () => {
    const server = await startMailServer({ secure: true, logger: false });
    const url = server.url.replace('smtp:', 'smtps:');
    const answer = await openMailer({ url }).send(sampleReceipt(), CLAIM);
    expect(answer).toEqual({ kind: 'try-again', answer: expect.stringMatching(/certificate/) });
  });

  it('an unknown host name', async () => {
    const answer = await openMailer({ url: 'smtp://mail.invalid' }).send(sampleReceipt(), CLAIM);
    expect(answer.kind).toBe('try-again');
  });
});

describe('the configuration', () => {
  it('must be a mail server’s URL and a sender address; the error shows no password', () => {
    expect(() =>
      createSmtpMailer({
        isClaimSure: () => true,
        connections: 5,
        url: 'https://user:sesame@mail',
        from: FROM,
      }),
    ).toThrow(/smtps:\/\/\.$/);
    expect(() =>
      createSmtpMailer({ isClaimSure: () => true, connections: 5, url: 'smtp://mail', from: 'Lumen Audio' }),
    ).toThrow(/“Lumen Audio”/);
  });

  it('can have a bare percent sign in the password', () => {
    openMailer({ url: 'smtp://orders:50%off@127.0.0.1:1' });
  });
});
