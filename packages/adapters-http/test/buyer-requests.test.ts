import { revokeLink } from '@handover/domain';
import { BY_JANA, sendsEmail } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { networkOf } from '../src/requests/network-of.ts';
import type { TestShop } from './open-test-shop.ts';
import { type Sale, sellPads } from './sell-pads.ts';
import { test } from './test-in-shop.ts';

const HOUR = 60 * 60 * 1000;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

function press(sale: Sale, token = sale.token) {
  return sale.app.inject({ method: 'POST', url: `/d/${token}/new-link`, headers: FORM, payload: '' });
}

function ask(testShop: TestShop, email: string, remoteAddress = '203.0.113.7') {
  const payload = new URLSearchParams({ email }).toString();
  return testShop.app.inject({ method: 'POST', url: '/my', headers: FORM, payload, remoteAddress });
}

async function downloadLinkEmailsOf(testShop: TestShop) {
  return (await testShop.stores.queuedJobs()).filter(sendsEmail('links'));
}

async function expire(): Promise<Sale> {
  const sale = await sellPads();
  sale.clock.advance(48 * HOUR);
  return sale;
}

describe('the button of an expired link', () => {
  test('mails a new link and names its recipient; the old link stays expired', async () => {
    const opened = await expire();
    const answer = await press(opened);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('a…\u2060@example.com');
    expect(answer.body).not.toContain('ana@example.com');
    expect(await downloadLinkEmailsOf(opened)).toHaveLength(1);
    expect((await opened.app.inject(`/d/${opened.token}`)).statusCode).toBe(410);
  });

  test('mails nothing when a scanner only opens the page', async () => {
    const opened = await expire();
    for (const method of ['GET', 'HEAD'] as const) {
      expect((await opened.app.inject({ method, url: `/d/${opened.token}` })).statusCode).toBe(410);
      expect((await opened.app.inject({ method, url: `/d/${opened.token}/new-link` })).statusCode).toBe(404);
    }
    expect(await downloadLinkEmailsOf(opened)).toEqual([]);
  });

  test('mails nothing for a working link or a revoked one', async () => {
    const working = await sellPads();
    const answer = await press(working);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `/d/${working.token}`]);
    const revoked = await expire();
    const named = revoked.ports.tokens.open(revoked.token);
    await revokeLink(revoked.ports, named?.orgId ?? '', named?.linkId ?? '', BY_JANA);
    expect((await press(revoked)).statusCode).toBe(410);
    expect((await press(revoked, `${revoked.token}x`)).statusCode).toBe(404);
    expect([...(await downloadLinkEmailsOf(working)), ...(await downloadLinkEmailsOf(revoked))]).toEqual([]);
  });

  test('names a waiting time after too many presses, and works again afterwards', async () => {
    const opened = await expire();
    for (let pressed = 0; pressed < 3; pressed += 1) expect((await press(opened)).statusCode).toBe(200);
    opened.clock.advance(HOUR - 60_000);
    const answer = await press(opened);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '60']);
    expect(answer.body).toContain('in 1 minute (<time');
    opened.clock.advance(60_000);
    expect((await press(opened)).statusCode).toBe(200);
  });
});

describe('/my', () => {
  test('asks whether gmial.com was meant, and mails to the corrected address by one press', async () => {
    const sale = await sellPads();
    const { body } = await ask(sale, 'ana@gmial.com');
    expect(body).toContain('Did you mean <strong><bdi>ana@gmail.com</bdi></strong>?');
    expect(body).toContain('<input type="hidden" name="email" value="ana@gmail.com">');
    expect((await ask(sale, 'ana@gmail.com')).body).not.toContain('Did you mean');
  });

  test('sends the same page for addresses with and without purchases', async () => {
    const sale = await sellPads();
    const known = await ask(sale, 'ana@example.com');
    const unknown = await ask(sale, 'eva@example.com');
    expect(known.statusCode).toBe(200);
    expect(known.body.replaceAll('ana', 'eva')).toBe(unknown.body);
    const { date: _known, ...headers } = known.headers;
    const { date: _unknown, ...others } = unknown.headers;
    expect(headers).toEqual(others);
    expect(await downloadLinkEmailsOf(sale)).toHaveLength(2);
  });

  test('repeats the address without the blanks around it', async () => {
    const sale = await sellPads();
    const answer = await ask(sale, ' ana@example.com\t');
    expect(answer.body).toContain('<bdi>ana@example.com</bdi>');
    expect(answer.body).toContain('value="ana@example.com"');
  });

  test('limits both kinds of address alike, by address and by network, and names the waiting time', async () => {
    const sale = await sellPads();
    for (const email of ['ana@example.com', 'eva@example.com']) {
      for (let asked = 0; asked < 3; asked += 1) expect((await ask(sale, email)).statusCode).toBe(200);
      const answer = await ask(sale, ` ${email.toUpperCase()}`);
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '3600']);
      expect(answer.body).toContain('Ask again in 1 hour (<time');
    }
    for (let asked = 0; asked < 12; asked += 1) await ask(sale, `someone${asked}@example.com`);
    const answer = await ask(sale, 'new@example.com');
    expect(answer.statusCode).toBe(429);
    expect(answer.body).toContain('Too many requests from your network');
    expect((await ask(sale, 'new@example.com', '203.0.113.8')).statusCode).toBe(200);
  });

  test('does not count a request against the address when its network is refused', async ({ testShop }) => {
    for (let asked = 0; asked < 20; asked += 1) await ask(testShop, `someone${asked}@example.com`);
    for (let asked = 0; asked < 5; asked += 1) await ask(testShop, 'ana@example.com');
    expect((await ask(testShop, 'ana@example.com', '203.0.113.8')).statusCode).toBe(200);
  });

  test('keeps an invalid address in the field, as text', async ({ testShop }) => {
    const answer = await ask(testShop, '"><script>x');
    expect(answer.statusCode).toBe(400);
    expect(answer.body).not.toContain('<script>x');
    expect(answer.body).toContain('aria-describedby="email-problem"');
    expect(await downloadLinkEmailsOf(testShop)).toEqual([]);
  });
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:0:203.0.113.7', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['fe80::1%eth0.100', 'fe80:0:0:0::/64'],
  ['fe80::1%br-lan', 'fe80:0:0:0::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ['203.0.113.7:50412', '203.0.113.7'],
  ['[2001:db8:1:2:3:4:5:6]:50412', '2001:db8:1:2::/64'],
  ['[::ffff:203.0.113.7]', '203.0.113.7'],
  ['made-up', 'unknown'],
  ['', 'unknown'],
])('counts %s as %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});
