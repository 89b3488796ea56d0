import {
  type DownloadLinkEmail,
  type EmailMessage,
  type MailAnswer,
  requestFreshLink,
  requestMyLinks,
  revokeLink,
  sendEmail,
} from '@handover/domain';
import {
  BY_JANA,
  createFakeComposing,
  makeOrder,
  openShop,
  recordOrder,
  sendsEmail,
} from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import { fulfilOrder } from '../src/fulfilment/fulfil-order.ts';
import { boughtLink } from './bought-link.ts';

const HOUR = 60 * 60 * 1000;
const ACCEPTED = { kind: 'accepted', answer: '250 OK' } as const;
const NETWORK = '192.0.2.7';

async function openMails() {
  const link = await boughtLink();
  const mails: DownloadLinkEmail[] = [];
  /** Works through the queue with a mail server that answers so, and returns what came of the first mail. */
  const sendAll = async (answer: MailAnswer = ACCEPTED) => {
    const mailer = {
      send: async (mail: EmailMessage) => {
        if (mail.kind === 'links') mails.push(mail);
        return answer;
      },
    };
    const results = [];
    for (const job of await link.stores.queuedJobs()) {
      if (!sendsEmail('links')(job)) continue;
      link.stores.finishJob(job);
      results.push(await sendEmail({ ...createFakeComposing(), ...link, mailer }, job));
    }
    return results;
  };
  const ask = (email = 'ana@example.com', network = NETWORK) => requestMyLinks(link, { email, network });
  const askFresh = (token = link.token) => requestFreshLink(link, token);
  return { ...link, mails, sendAll, ask, askFresh };
}

describe('a fresh link', () => {
  it('is mailed to the buyer behind an expired one, which stays expired', async () => {
    const { clock, askFresh, sendAll, mails, linkId, shop, links, activity } = await openMails();
    clock.advance(48 * HOUR);
    const asked = await askFresh();
    expect(asked).toMatchObject({ kind: 'mailed', page: { linkId } });
    expect(await sendAll()).toMatchObject([{ kind: 'answered', answer: ACCEPTED, end: 'completed' }]);
    expect(mails).toMatchObject([
      {
        to: { email: 'ana@example.com', name: 'Ana Lima' },
        shops: [{ orgId: shop.orgId, name: 'Lumen Audio', items: [{ productName: 'Pads' }] }],
        leftOut: false,
        myUrl: 'http://shop.test/my',
      },
    ]);
    const [item] = mails[0]?.shops[0]?.items ?? [];
    expect(item?.downloadUrl).toMatch(`http://shop.test/d/${shop.orgId}.`);
    expect(item?.downloadUrl).not.toContain(linkId);
    expect(Object.keys(item ?? {})).not.toContain('linkId');
    expect(mails[0]?.shops[0]?.replyTo).toMatch(/@example\.com$/);
    expect((await links.find(shop.orgId, linkId))?.expiresAt).toEqual(clock.now());
    const [entry] = await activity.list(shop.orgId, { subjectId: null, before: null, limit: 1 });
    expect(entry).toMatchObject({
      kind: 'link-requested',
      subjectId: asked.kind === 'mailed' ? asked.page.purchaseId : '',
      summary: 'A new link to Pads was requested. It is mailed to ana@example.com.',
    });
  });

  it('is not made while the old one works, nor for a link that we never gave out', async () => {
    const { clock, askFresh, linkId, stores, links, shop } = await openMails();
    clock.advance(48 * HOUR - 1);
    expect(await askFresh()).toMatchObject({ kind: 'open', page: { linkId } });
    const expiresAt = new Date(clock.now().getTime() + 1);
    expect(await links.find(shop.orgId, linkId)).toMatchObject({ expiresAt });
    expect(await askFresh('junk')).toStrictEqual({ kind: 'unknown' });
    expect((await stores.queuedJobs()).filter(sendsEmail('links'))).toEqual([]);
  });

  it('may be asked for three times an hour through one link', async () => {
    const { clock, askFresh } = await openMails();
    clock.advance(48 * HOUR);
    const until = new Date(clock.now().getTime() + HOUR);
    const kinds = [];
    for (let time = 0; time < 3; time += 1) kinds.push((await askFresh()).kind);
    expect(kinds).toEqual(['mailed', 'mailed', 'mailed']);
    expect(await askFresh()).toMatchObject({ kind: 'throttled', until });
    clock.advance(HOUR);
    expect((await askFresh()).kind).toBe('mailed');
  });

  it('may be asked for ten times an hour for one address, in whatever spelling, through all its links', async () => {
    const sold = await openMails();
    const { shop, clock, ids, tokens, stores, askFresh } = sold;
    const asked = [];
    for (let at = 0; at < 4; at += 1) {
      const email = at % 2 === 0 ? 'jo@example.com' : 'JO@example.com';
      const order = makeOrder(shop, { orderId: `${at}`, customer: { email, name: 'Jo' } });
      const { id } = await recordOrder(sold, order);
      const plan = await fulfilOrder({ clock, ids, fulfilment: stores.fulfilment }, order, {
        id,
        attempts: 0,
      });
      asked.push(tokens.seal(shop.orgId, plan.links[0]?.id ?? ''));
    }
    clock.advance(48 * HOUR);
    const kinds = [];
    for (const token of [...asked, ...asked, ...asked].slice(0, 11)) kinds.push((await askFresh(token)).kind);
    expect(kinds).toEqual([...Array.from({ length: 10 }, () => 'mailed'), 'throttled']);
  });

  it('is not mailed when its link is revoked at the very moment it is asked for', async () => {
    const { clock, linkId, shop, links, downloadLinkEmails, ...ports } = await openMails();
    clock.advance(48 * HOUR);
    const revoking = {
      ...downloadLinkEmails,
      requestOne: async (request: Parameters<typeof downloadLinkEmails.requestOne>[0]) => {
        await revokeLink({ ...ports, clock, links }, shop.orgId, linkId, BY_JANA);
        return downloadLinkEmails.requestOne(request);
      },
    };
    const asked = await requestFreshLink(
      { ...ports, clock, links, downloadLinkEmails: revoking },
      ports.token,
    );
    expect(asked).toMatchObject({ kind: 'revoked', page: { linkId } });
  });
});

describe('links to everything that was bought with an address', () => {
  it('come in one mail, from every shop that sold to it', async () => {
    const opened = await openMails();
    const { ask, sendAll, mails, clock, ids, stores } = opened;
    const other = await openShop(opened, 'Nocturne');
    const order = makeOrder(other);
    const { id } = await recordOrder(opened, order);
    await fulfilOrder({ clock, ids, fulfilment: stores.fulfilment }, order, { id, attempts: 0 });
    expect(await ask(' ANA@example.com ')).toEqual({ kind: 'noted' });
    await sendAll();
    expect(mails.map(({ shops }) => shops.map(({ name }) => name).sort())).toEqual([
      ['Lumen Audio', 'Nocturne'],
    ]);
    expect(await sendAll()).toEqual([]);
  });

  it('are noted just the same for an address that nobody bought with, and nothing is mailed', async () => {
    const { ask, sendAll, mails } = await openMails();
    expect(await ask('nobody@example.com')).toEqual({ kind: 'noted' });
    expect(await sendAll()).toEqual([{ kind: 'not-pending' }]);
    expect(mails).toEqual([]);
  });

  it('need an address that mail can go to', async () => {
    const { ask, stores } = await openMails();
    expect(await ask('ana at home')).toEqual({ kind: 'invalid-email' });
    expect(await ask('ana@gmailcom')).toEqual({ kind: 'invalid-email' });
    expect(await ask('ana@gmail.')).toEqual({ kind: 'invalid-email' });
    expect((await stores.queuedJobs()).filter(sendsEmail('links'))).toEqual([]);
    // A Japanese keyboard types such a dot.
    expect(await ask('ana@gmail．com')).toEqual({ kind: 'noted' });
  });

  it('may be asked for three times an hour for an address, in whatever spelling', async () => {
    const { ask, clock } = await openMails();
    const until = new Date(clock.now().getTime() + HOUR);
    const kinds = [];
    for (const email of ['ana@example.com', 'ANA@example.com', ' ana@example.com']) {
      kinds.push((await ask(email)).kind);
    }
    expect(kinds).toEqual(['noted', 'noted', 'noted']);
    expect(await ask()).toEqual({ kind: 'throttled', until, of: 'address' });
    expect((await ask('jo@example.com')).kind).toBe('noted');
    clock.advance(HOUR);
    expect((await ask()).kind).toBe('noted');
  });

  it('may be asked for twenty times an hour from a network, which then uses up nobody’s tries', async () => {
    const { ask, clock } = await openMails();
    const until = new Date(clock.now().getTime() + HOUR);
    for (let at = 0; at < 20; at += 1) expect((await ask(`${at}@example.com`)).kind).toBe('noted');
    for (let at = 0; at < 4; at += 1) {
      expect(await ask('ana@example.com')).toEqual({ kind: 'throttled', until, of: 'network' });
    }
    expect((await ask('ana@example.com', '198.51.100.1')).kind).toBe('noted');
  });
});

describe('the mail server’s answer to a mail of links', () => {
  it('is asked for again at once by nobody', async () => {
    const { ask, sendAll, stores, clock, mails } = await openMails();
    await ask();
    await sendAll({ kind: 'try-again', answer: '451 busy' });
    const at = new Date(clock.now().getTime() + 5000);
    expect(await stores.queuedJobs()).toContainEqual(
      expect.objectContaining({ emailKind: 'links', startAfter: at }),
    );
    expect(await sendAll()).toEqual([{ kind: 'not-now', at }]);
    expect(mails).toHaveLength(1);
  });
});
