import type { Outbox, OutboxMail } from '@handover/adapters-http';
import { describe, expect, test } from 'vitest';
import { openTestShop } from './open-test-shop.ts';

const MAIL: OutboxMail = {
  name: '2026-03-02 a.eml',
  sentAt: new Date('2026-03-02T09:00:00Z'),
  from: 'Lumen Audio <orders@example.com>',
  to: 'Ana Lima <ana@example.com>',
  replyTo: 'help@lumen.audio',
  subject: 'Your download: Pads',
  html: '<!doctype html><html><head><title>x</title></head><body><a href="http://shop.test/d/x">Open</a></body></html>',
  text: 'Open http://shop.test/d/x',
};

function openWith(mails: readonly OutboxMail[]) {
  const outbox: Outbox = {
    list: async () => mails,
    read: async (name) => mails.find((mail) => mail.name === name) ?? null,
  };
  return openTestShop(undefined, { outbox });
}

describe('/dev/mail', () => {
  test('lists the mails with links to each', async () => {
    const { app } = await openWith([MAIL]);
    const list = await app.inject('/dev/mail');
    expect(list.statusCode).toBe(200);
    const address = /href="(\/dev\/mail\/[^"]+)"/.exec(list.body)?.[1] ?? '';
    const mail = await app.inject(address);
    expect(mail.statusCode).toBe(200);
    for (const text of [MAIL.subject, 'help@lumen.audio', 'ana@example.com', MAIL.text])
      expect(mail.body).toContain(text);
    expect(mail.headers['content-security-policy']).toContain("frame-src 'self'");
  });

  test('shows the HTML in a frame that can only open links in new windows', async () => {
    const { app } = await openWith([MAIL]);
    const mail = await app.inject(`/dev/mail/${encodeURIComponent(MAIL.name)}`);
    const [, address, sandbox] = /<iframe[^>]* src="([^"]+)" sandbox="([^"]+)"/.exec(mail.body) ?? [];
    expect(sandbox).toBe('allow-popups allow-popups-to-escape-sandbox');
    const framed = await app.inject(address ?? '');
    expect(framed.body).toBe(MAIL.html.replace('<head>', '<head><base target="_blank">'));
    expect(framed.headers['content-security-policy']).toContain("default-src 'none'");
    expect(framed.headers['content-security-policy']).toContain('sandbox allow-popups');
    expect(framed.headers['x-frame-options']).toBeUndefined();
  });

  test('shows a mail without HTML without a frame', async () => {
    const { app } = await openWith([{ ...MAIL, name: 'a', html: '' }]);
    expect((await app.inject('/dev/mail/a')).body).not.toContain('<iframe');
    expect((await app.inject('/dev/mail/a/html')).statusCode).toBe(404);
  });

  test('says in an empty outbox what will appear here and how', async () => {
    const { app } = await openWith([]);
    const { body } = await app.inject('/dev/mail');
    expect(body).toContain('No mail yet');
    expect(body).toMatch(/href="\/dashboard\/settings\/integrations">Send a test order</);
  });

  test('answers 404 for an unknown mail', async () => {
    const { app } = await openWith([]);
    for (const url of ['/dev/mail/x', '/dev/mail/x/html', '/dev/mail/..%2F..%2Fetc%2Fpasswd']) {
      expect((await app.inject(url)).statusCode, url).toBe(404);
    }
  });

  test('is linked from the start page, if there is an outbox', async () => {
    const { app } = await openWith([]);
    expect((await app.inject('/')).body).toContain('href="/dev/mail"');
    const { app: bare } = await openTestShop();
    expect((await bare.inject('/')).body).not.toContain('/dev/mail');
    for (const url of ['/dev/mail', '/dev/mail/x']) expect((await bare.inject(url)).statusCode).toBe(404);
  });

  test.each([
    ['a peer on another machine', { remoteAddress: '192.0.2.7' }],
    ['a peer on another machine by IPv6', { remoteAddress: '2001:db8::7' }],
    ['a peer on another machine in an IPv6 disguise', { remoteAddress: '::ffff:192.0.2.7' }],
    ['a foreign Host (DNS rebinding)', { headers: { host: 'evil.example:3000' } }],
    ['a Host that only begins as loopback does', { headers: { host: '127.0.0.1.evil.example' } }],
    ['a Host that only ends as loopback does', { headers: { host: 'evillocalhost' } }],
    ['an unreadable Host', { headers: { host: 'local host' } }],
    ['a Host with a sign-in', { headers: { host: 'localhost@evil.example' } }],
    ['X-Forwarded-For of loopback', { headers: { 'x-forwarded-for': '127.0.0.1' } }],
    ['an empty X-Forwarded-For', { headers: { 'x-forwarded-for': '' } }],
    ['X-Forwarded-Host', { headers: { 'x-forwarded-host': 'localhost' } }],
    ['X-Real-IP', { headers: { 'x-real-ip': '127.0.0.1' } }],
    ['Forwarded', { headers: { forwarded: 'for=127.0.0.1' } }],
    ['Via', { headers: { via: '1.1 proxy' } }],
    [
      'a remote peer that a trusted proxy calls local',
      { remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': '127.0.0.1' } },
    ],
  ])('answers 404 to %s', async (_name, { headers = {}, ...peer }: Asking) => {
    const { app } = await openTestShop(undefined, { outbox: OUTBOX, trustProxy: ['10.0.0.1', '127.0.0.1'] });
    const ask = (url: string) =>
      app.inject({ url, headers: { host: 'localhost:3000', ...headers }, ...peer });
    for (const url of ['/dev/mail', '/dev/mail/x', '/dev/mail/x/html']) {
      const answer = await ask(url);
      expect(answer.statusCode, url).toBe(404);
      expect(answer.body).not.toContain(MAIL.subject);
    }
    const start = await ask('/');
    expect([start.statusCode, start.body]).toEqual([200, expect.not.stringMatching(/\/dev\/mail|Version/)]);
  });

  test.each([
    ['127.0.0.1', 'localhost'],
    ['127.8.9.1', '127.0.0.1:3000'],
    ['::1', '[::1]:3000'],
    ['::ffff:127.0.0.1', 'shop.localhost:3000'],
  ])('is open to the peer %s that asks for %s', async (remoteAddress, host) => {
    const { app } = await openTestShop(undefined, { outbox: OUTBOX });
    expect((await app.inject({ url: '/dev/mail', remoteAddress, headers: { host } })).statusCode).toBe(200);
  });
});

interface Asking {
  readonly remoteAddress?: string;
  readonly headers?: Record<string, string>;
}

const OUTBOX: Outbox = { list: async () => [MAIL], read: async () => MAIL };
