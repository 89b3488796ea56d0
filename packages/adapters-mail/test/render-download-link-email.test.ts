import { LINKS_PER_MAIL } from '@handover/domain';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { createSmtpMailer, renderDownloadLinkEmail } from '../src/index.ts';
import { startMailServer } from './mail-server.ts';
import { readable } from './readable.ts';
import {
  sampleLinks as downloadLinkEmail,
  sampleLinkItem as item,
  ORG_ID,
  URL_BASE,
} from './sample-links.ts';
import { CLAIM } from './sample-receipt.ts';

const NOCTURNE = {
  orgId: '0192f3a8-c41e-7000-8000-0000000000bb',
  name: 'Nocturne',
  replyTo: 'hello@nocturne.example',
  items: [item({ productName: 'Glass Keys', downloadUrl: `${URL_BASE}two`, orderNumber: null })],
};

describe('the mail with one new link', () => {
  const { subject, html, text } = renderDownloadLinkEmail(downloadLinkEmail());

  it('has this text', () => {
    expect(subject).toBe('Your new link: Felt Piano');
    expect(readable(html)).toBe(
      'Lumen Audio Here is your new link, Ana. ' +
        'One button opens your download page, with all three files. Download Felt Piano ' +
        'The link works for 48 hours, until Friday 16 October at 14:02 UTC, and each time you open it the 48 hours start again. ' +
        'Expired? Get a new one at any time: get.lumen.audio/my ' +
        'Felt Piano 2.1 3 files, 6.3 GB in all Order #1186, 14 October 2026 ' +
        'Something wrong? Just reply, a person at Lumen Audio reads it. ' +
        'You did not ask for this? Ignore this mail: it was sent only to you. ' +
        `Button does nothing? Paste this into your browser: ${URL_BASE}one`,
    );
  });

  it('has a plain-text part with the same sentences', () => {
    expect(text).toBe(`Here is your new link, Ana.

One link opens your download page, with all three files.

Felt Piano 2.1
3 files, 6.3 GB in all
${URL_BASE}one

The link works for 48 hours, until Friday 16 October at 14:02 UTC, and each time you open it the 48 hours start again.
Expired? Get a new one at any time: https://get.lumen.audio/my

Order #1186, 14 October 2026

Something wrong? Just reply, a person at Lumen Audio reads it.
You did not ask for this? Ignore this mail: it was sent only to you.

--\u0020
Lumen Audio
`);
  });

  it('has no images, scripts or external resources', () => {
    expect(html).not.toMatch(/<img|<script|<link|url\(|\ssrc=|@import|undefined|null|NaN/);
  });

  it('has the shop as its sender and Reply-To, and its own id', async () => {
    const server = await startMailServer();
    const mailer = createSmtpMailer({
      isClaimSure: () => true,
      connections: 5,
      from: 'orders@get.lumen.audio',
      url: server.url,
    });
    expect((await mailer.send(downloadLinkEmail(), CLAIM)).kind).toBe('accepted');
    await mailer.close();
    expect(await PostalMime.parse(server.received[0]?.raw ?? '')).toMatchObject({
      from: { name: 'Lumen Audio', address: 'orders@get.lumen.audio' },
      replyTo: [{ name: 'Lumen Audio', address: 'help@lumen.audio' }],
      messageId: '<links-0192f3a8-c41e-7000-8000-000000000009@get.lumen.audio>',
      subject: 'Your new link: Felt Piano',
    });
  });
});

describe('the mail with everything bought', () => {
  it('lists them by shop, each with its address, and has a neutral sender', async () => {
    const [lumen] = downloadLinkEmail().shops;
    const mail = downloadLinkEmail({ shops: [...(lumen ? [lumen] : []), NOCTURNE] });
    const { subject, html, text } = renderDownloadLinkEmail(mail);
    expect(subject).toBe('Your new links');
    expect(readable(html)).toContain(
      'My downloads Here are your new links, Ana. Each button opens the download page of one product. ' +
        'Lumen Audio , help@lumen.audio Felt Piano 2.1 3 files, 6.3 GB in all · Order #1186, 14 October 2026 Download ' +
        'Nocturne , hello@nocturne.example Glass Keys 2.1 3 files, 6.3 GB in all · Ordered on 14 October 2026 Download ' +
        'Each link works for 48 hours',
    );
    expect(text).toContain('Nocturne, hello@nocturne.example\n\nGlass Keys 2.1\n');
    const server = await startMailServer();
    const mailer = createSmtpMailer({
      isClaimSure: () => true,
      connections: 5,
      from: 'orders@get.lumen.audio',
      url: server.url,
    });
    await mailer.send(mail, CLAIM);
    await mailer.close();
    const email = await PostalMime.parse(server.received[0]?.raw ?? '');
    expect(email.from).toMatchObject({ name: 'My downloads' });
    expect(email.replyTo).toBeUndefined();
  });

  it('of one shop has that shop as its sender', () => {
    const items = [item(), item({ productName: 'Glass Keys', downloadUrl: `${URL_BASE}two` })];
    const { subject, html } = renderDownloadLinkEmail(
      downloadLinkEmail({ shops: [{ orgId: ORG_ID, name: 'Lumen Audio', replyTo: null, items }] }),
    );
    expect(subject).toBe('Your new links from Lumen Audio');
    expect(readable(html)).not.toMatch(/reply|Write to the shop/i);
  });

  it('says when older purchases were left out, and stays small enough not to be truncated', () => {
    const items = Array.from({ length: LINKS_PER_MAIL }, (_, index) =>
      item({
        productName: `Collection of percussion ${index}`,
        downloadUrl: `${URL_BASE}${'x'.repeat(68)}${index}`,
      }),
    );
    const { html, text } = renderDownloadLinkEmail(
      downloadLinkEmail({
        shops: [{ orgId: ORG_ID, name: 'Lumen Audio', replyTo: null, items }],
        leftOut: true,
        libraryUrl: 'https://get.lumen.audio/my/one',
      }),
    );
    expect(readable(html)).toContain(
      'Below are the 50 products you bought last; your library has all of them.',
    );
    // Gmail cuts what is longer than 102 kB.
    expect(Buffer.byteLength(html)).toBeLessThan(100_000);
    for (const { downloadUrl } of items) expect(text).toContain(`${downloadUrl}\n`);
  });
});
