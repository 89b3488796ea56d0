import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AlertMail, createPlatforms, OUR_PLATFORMS, type Platforms } from '@handover/domain';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOutboxMailer, createSmtpMailer, listOutbox, readOutboxMail } from '../src/index.ts';
import { reply, startMailServer } from './mail-server.ts';
import { ALERT_MAIL_ID, LOG_URL, sampleAlertMail, sampleNotice } from './sample-alerts.ts';
import { CLAIM } from './sample-receipt.ts';

const FROM = 'orders@get.lumen.audio';

/** The mail as the outbox keeps it: written by the same code that SMTP sends by. */
async function keep(mail: AlertMail, platforms?: Platforms) {
  const directory = await mkdtemp(join(tmpdir(), 'handover-alerts-'));
  try {
    const answer = await createOutboxMailer({ directory, from: FROM, ...(platforms && { platforms }) }).send(
      mail,
      CLAIM,
    );
    const [entry] = await listOutbox(directory);
    return { answer, kept: entry ? await readOutboxMail(directory, entry.name) : null };
  } finally {
    await rm(directory, { recursive: true });
  }
}

describe('a mail of one alert', () => {
  it('says what happened, what to do and where, as HTML and as plain text', async () => {
    const { kept } = await keep(sampleAlertMail());
    expect(kept).toMatchObject({
      subject: 'Order #1186 was not delivered · Lumen Audio',
      from: 'Handover <orders@get.lumen.audio>',
      to: 'owner@lumen.audio, second@lumen.audio',
      replyTo: null,
    });
    expect(kept?.text.replaceAll('\r\n', '\n').trimEnd()).toBe(`Order #1186 was not delivered.

No product is known for SKU PAD-9. Map it to a product, or ignore it.

Nothing reached the buyer. Fix this, then deliver again.

Open the delivery:
${LOG_URL}/${ALERT_MAIL_ID}

ana.lima@example.com · WooCommerce · 14 October 2026 at 12:02 UTC

This goes to you because you look after Lumen Audio. One mail per problem and day.

-- 
Lumen Audio`);
    for (const sentence of ['Order #1186 was not delivered.', 'Fix this, then deliver again.', 'SKU PAD-9']) {
      expect(kept?.html).toContain(sentence);
    }
    expect(kept?.html).toContain(`href="${LOG_URL}/${ALERT_MAIL_ID}"`);
  });

  it.each([
    [
      sampleNotice({ cause: 'receipt-refused' }),
      'The receipt of order #1186 could not be mailed · Lumen Audio',
    ],
    [
      sampleNotice({ cause: 'receipt-refused', orderNumber: null }),
      'A receipt could not be mailed · Lumen Audio',
    ],
    [sampleNotice({ cause: 'unreadable' }), 'WooCommerce order #1186 could not be read · Lumen Audio'],
    [
      sampleNotice({ cause: 'unreadable', orderNumber: null }),
      'A delivery from WooCommerce could not be read · Lumen Audio',
    ],
    [sampleNotice({ cause: 'rejected' }), 'WooCommerce order #1186 was rejected · Lumen Audio'],
    [
      sampleNotice({ cause: 'rejected', orderNumber: null }),
      'A delivery from WooCommerce was rejected · Lumen Audio',
    ],
  ])('names its cause in the subject', async (alert, subject) => {
    expect((await keep(sampleAlertMail({ alerts: [alert] }))).kept?.subject).toBe(subject);
  });
});

describe('a mail of a rejected delivery', () => {
  it('names platform, order number and reason, what to do and when more are mailed, and links to the list', async () => {
    const url = 'https://get.lumen.audio/dashboard/settings/integrations/storefront-b/rejected';
    const reason = 'It is signed with a secret that was replaced here and has ended.';
    const { kept } = await keep(
      sampleAlertMail({ alerts: [sampleNotice({ cause: 'rejected', reason, url })] }),
    );
    expect(kept?.text.replaceAll('\r\n', '\n').trimEnd()).toBe(`WooCommerce order #1186 was rejected.

${reason}

Nothing was delivered. Set the same secret here and in WooCommerce, then deliver what was rejected.

See the deliveries:
${url}

ana.lima@example.com · WooCommerce · 14 October 2026 at 12:02 UTC

This goes to you because you look after Lumen Audio. More like it cause no mail until this is delivered or dismissed, or a day has passed.

-- 
Lumen Audio`);
    expect(kept?.html).toContain(`href="${url}"`);
    expect(kept?.html).toContain('See the deliveries');
  });
});

describe('a mail of many alerts', () => {
  it('lists them, counts the rest, and links to the log', async () => {
    const alerts = Array.from({ length: 20 }, (_, at) =>
      sampleNotice({ orderNumber: `#${at}`, url: `${LOG_URL}/${at}` }),
    );
    const { kept } = await keep(sampleAlertMail({ alerts, more: 1234 }));
    expect(kept?.subject).toBe('1254 deliveries failed · Lumen Audio');
    expect(kept?.text).toContain('And 1234 more.');
    for (const { url, orderNumber } of alerts) {
      expect(kept?.text).toContain(`Order ${orderNumber} was not delivered.`);
      expect(kept?.html).toContain(`href="${url}"`);
    }
    expect(kept?.html).toContain(`href="${LOG_URL}"`);
  });
});

describe('alerts over SMTP', () => {
  it('go to every address, and a repeated mail has the same Message-ID', async () => {
    const server = await startMailServer();
    const mailer = createSmtpMailer({ isClaimSure: () => true, connections: 5, url: server.url, from: FROM });
    onTestFinished(() => mailer.close());
    for (let copy = 0; copy < 2; copy += 1)
      expect((await mailer.send(sampleAlertMail(), CLAIM)).kind).toBe('accepted');
    expect(server.received).toHaveLength(2);
    for (const { to, raw } of server.received) {
      expect(to).toEqual(['owner@lumen.audio', 'second@lumen.audio']);
      expect(raw).toContain(`Message-ID: <alert-${ALERT_MAIL_ID}@get.lumen.audio>`);
    }
  });

  it('without a valid address are refused', async () => {
    const server = await startMailServer({
      onRcptTo: (_to, _session, done) => done(reply(550, 'No such box')),
    });
    const mailer = createSmtpMailer({ isClaimSure: () => true, connections: 5, url: server.url, from: FROM });
    onTestFinished(() => mailer.close());
    expect(await mailer.send(sampleAlertMail(), CLAIM)).toMatchObject({ kind: 'refused' });
    expect(await mailer.send(sampleAlertMail({ to: [] }), CLAIM)).toEqual({
      kind: 'refused',
      answer: 'There is no address that alerts can be mailed to.',
    });
  });
});

describe('foreign text', () => {
  it('stays text in the mail whatever it contains, and is truncated', async () => {
    const odd = fc.string({ unit: 'grapheme', maxLength: 40 });
    const hostile = fc
      .tuple(odd, odd)
      .map(([a, b]) => `${a}\r\nBcc: x@evil.test\r\n\r\n<img src=x onerror=y>"&${b}`);
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (text, name) => {
        const alerts = [sampleNotice({ orderNumber: text, reason: text.repeat(40), customerEmail: text })];
        const { kept } = await keep(sampleAlertMail({ alerts, organisationName: name }));
        expect(kept?.html).not.toContain('<img');
        expect(kept?.to).toBe('owner@lumen.audio, second@lumen.audio');
        expect(kept?.subject).not.toMatch(/[\r\n]/);
        expect(kept?.subject.length).toBeLessThanOrEqual(300);
        expect(kept?.text.length).toBeLessThan(5000);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a mail of alerts, of whatever cause', () => {
  const causes = ['not-delivered', 'receipt-refused', 'unreadable'] as const;
  it.each(OUR_PLATFORMS.list())('names the vendor of %s, and never its label', async (platform) => {
    const alerts = causes.map((cause) => sampleNotice({ platform, cause }));
    const { kept } = await keep(sampleAlertMail({ alerts }));
    const words = JSON.stringify(kept);
    expect(words).toContain(OUR_PLATFORMS.vendorOf(platform));
    expect(words).not.toMatch(new RegExp(`(?<![/\\w-])${platform}(?![\\w-])`));
  });

  it('names a platform of another team by the name that its mailer was given', async () => {
    const gumtree = { label: 'gumtree', name: 'Gumtree Market', hasSecretInUrl: false };
    const alerts = causes.map((cause) => sampleNotice({ platform: 'gumtree', cause }));
    const { kept } = await keep(sampleAlertMail({ alerts }), createPlatforms([gumtree]));
    expect(kept?.text).toContain('Gumtree Market');
    expect((await keep(sampleAlertMail({ alerts }))).kept?.text).not.toContain('Gumtree Market');
  });
});
