import type { MailClaim, Mailer } from '@handover/domain';
import { describe, expect, it } from 'vitest';
import { startMailServer } from './mail-server.ts';
import { openMailer } from './open-mailer.ts';
import { CLAIM, sampleReceipt } from './sample-receipt.ts';

const ORG_ID = '0192f3a8-c41e-7000-8000-0000000000aa';
const MAIL_ID = '0192f3a8-c41e-7000-8000-000000000001';
const ANA = { email: 'ana@example.com', name: 'Ana Lima' };
const URL = 'https://get.lumen.audio/d/one';

type Send = (mailer: Mailer, claim: MailClaim) => ReturnType<Mailer['send']>;

const SENDS: Readonly<Record<string, Send>> = {
  'a receipt': (mailer, claim) => mailer.send(sampleReceipt(), claim),
  'a mail with new links': (mailer, claim) =>
    mailer.send(
      {
        kind: 'links',
        mailId: MAIL_ID,
        language: 'en',
        timeZone: 'UTC',
        worksUntil: new Date(0),
        to: ANA,
        shops: [{ orgId: ORG_ID, name: 'Lumen Audio', replyTo: 'help@lumen.audio', items: [linkItem()] }],
        leftOut: false,
        myUrl: URL,
      },
      claim,
    ),
  'a mail of alerts': (mailer, claim) =>
    mailer.send(
      {
        kind: 'alert',
        mailId: MAIL_ID,
        orgId: ORG_ID,
        organisationName: 'Lumen Audio',
        to: ['owner@lumen.audio'],
        alerts: [
          {
            cause: 'not-delivered',
            platform: 'storefront-b',
            orderNumber: '#1186',
            customerEmail: ANA.email,
            reason: 'No product is known for SKU PAD-9.',
            at: new Date(0),
            url: URL,
          },
        ],
        more: 0,
        logUrl: URL,
      },
      claim,
    ),
  'the mail of an invitation': (mailer, claim) =>
    mailer.send(
      {
        kind: 'invitation',
        mailId: MAIL_ID,
        orgId: ORG_ID,
        organisationName: 'Lumen Audio',
        inviter: 'Mira Okafor',
        role: 'admin',
        to: ANA,
        url: URL,
        expiresAt: new Date(0),
      },
      claim,
    ),
  'the mail of a sign-in': (mailer, claim) =>
    mailer.send(
      { kind: 'sign-in', mailId: MAIL_ID, orgId: null, to: ANA, url: URL, requestedAt: new Date(0) },
      claim,
    ),
};

describe.each(Object.entries(SENDS))('%s', (_name, send) => {
  it('is cancelled before its data when its claim is lost during the conversation', async () => {
    const { mailer, server, loseLater } = await openConversation();
    loseLater(CLAIM.claimId);
    expect(await send(mailer, CLAIM)).toEqual({
      kind: 'try-again',
      answer: 'The program could not keep its claim of the mail while it talked with the mail server.',
    });
    expect(server.received).toEqual([]);
  });

  it('is sent while its claim is held, over a mailer that cancelled another mail', async () => {
    const { mailer, server, loseLater } = await openConversation();
    loseLater('another claim');
    expect((await send(mailer, { ...CLAIM, claimId: 'another claim' })).kind).toBe('try-again');
    expect((await send(mailer, CLAIM)).kind).toBe('accepted');
    expect(server.received).toHaveLength(1);
  });
});

/** The claims named to `loseLater` are kept until a recipient has been named, and are lost from then on. */
async function openConversation() {
  const lost = new Set<string>();
  const lostLater: string[] = [];
  const server = await startMailServer({
    onRcptTo: (_to, _session, done) => {
      for (const claimId of lostLater) lost.add(claimId);
      done();
    },
  });
  const mailer = openMailer({ ...server, isClaimSure: (claimId) => !lost.has(claimId) });
  return { mailer, server, loseLater: (claimId: string) => lostLater.push(claimId) };
}

function linkItem() {
  return {
    productName: 'Felt Piano',
    version: '2.1',
    fileCount: 3,
    totalSize: 6_300,
    orderNumber: '#1186',
    boughtAt: new Date(0),
    downloadUrl: URL,
  };
}
