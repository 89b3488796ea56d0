import {
  AUTOMATIC,
  correctAddress,
  type EmailClaim,
  LINKS_PER_MAIL,
  NO_ORGANISATION,
  type Order,
  restoreLink,
  revokeLink,
} from '@handover/domain';
import { claimIdOf, emailJob, emailOf } from '../complete-emails.ts';
import { BY_JANA, makeLine, openShop, publishProduct } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { listEmailJobs, sellByOrder } from './shop-actions.ts';

const HOUR = 60 * 60 * 1000;
const NOT_PENDING = { kind: 'not-pending' };

/** E-mails with new links, which buyers request. */
export function downloadLinkEmailsContract({ describe, it, expect }: StoresRunner): void {
  describe('a new link for one purchase', () => {
    it('is added with the job that mails it, and the old one stays as it was', async (opened) => {
      const { shop, stores, clock } = opened;
      const old = await sell(opened);
      clock.advance(50 * HOUR);
      const { mailId, linkId, outcome } = await requestOne(opened, old.purchaseId);
      expect(outcome).toBe('queued');
      const job = emailJob('links', shop.orgId, mailId, clock.now());
      expect(await listEmailJobs(opened, 'links')).toEqual([job]);
      expect((await stores.links.find(shop.orgId, old.linkId))?.expiresAt).toEqual(old.expiresAt);
      const organisation = await stores.organisations.find(shop.orgId);
      clock.advance(HOUR);
      const claimed = await claim(opened, mailId);
      expect(claimed).toEqual({
        kind: 'claimed',
        claimId: claimIdOf(claimed),
        email: {
          kind: 'links',
          id: mailId,
          pendingSince: new Date(clock.now().getTime() - HOUR),
          attempts: 0,
          language: null,
          to: { email: 'ana@example.com', name: 'Ana Lima' },
          shops: [
            {
              orgId: shop.orgId,
              name: 'Lumen Audio',
              email: organisation?.email,
              language: 'en',
              timeZone: 'UTC',
              items: [
                {
                  productName: 'Pads',
                  version: '1.0',
                  fileCount: 1,
                  totalSize: 5,
                  orderNumber: '#1001',
                  boughtAt: old.boughtAt,
                  linkId,
                },
              ],
            },
          ],
          leftOut: false,
          opensLibrary: false,
        },
      });
      const page = await stores.links.find(shop.orgId, linkId);
      expect(page?.expiresAt).toEqual(new Date(clock.now().getTime() + 48 * HOUR));
    });

    it('asked for again while its mail is pending is the same link, mailed at once', async (opened) => {
      const { purchaseId } = await sell(opened);
      const first = await requestOne(opened, purchaseId);
      const claimId = claimIdOf(await claim(opened, first.mailId));
      const nextTryAt = new Date(opened.clock.now().getTime() + HOUR);
      await putOff(opened, first.mailId, claimId, nextTryAt);
      opened.clock.advance(1000);
      const second = await requestOne(opened, purchaseId);
      expect(second.outcome).toBe('queued');
      expect(await opened.stores.links.find(opened.shop.orgId, second.linkId)).toBe(null);
      expect(await claim(opened, second.mailId)).toEqual(NOT_PENDING);
      expect(await claim(opened, first.mailId)).toMatchObject({
        kind: 'claimed',
        email: {
          attempts: 0,
          pendingSince: opened.clock.now(),
          shops: [{ items: [{ linkId: first.linkId }] }],
        },
      });
    });

    it('asked for by several at once is one link and one mail', async (opened) => {
      const { purchaseId } = await sell(opened);
      const requests = await Promise.all(Array.from({ length: 6 }, () => requestOne(opened, purchaseId)));
      const claims = await Promise.all(requests.map(({ mailId }) => claim(opened, mailId)));
      expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
      const pages = await Promise.all(
        requests.map(({ linkId }) => opened.stores.links.find(opened.shop.orgId, linkId)),
      );
      expect(pages.filter((page) => page !== null)).toHaveLength(1);
    });

    it('is refused while the newest link is withdrawn, and so is every other way to one', async (opened) => {
      const { orgId } = opened.shop;
      const { purchaseId, linkId } = await sell(opened);
      await revokeLink(opened, orgId, linkId, BY_JANA);
      expect((await requestOne(opened, purchaseId)).outcome).toBe('revoked');
      expect(await listEmailJobs(opened, 'links')).toEqual([]);
      expect(await claim(opened, await requestAll(opened, 'ana@example.com'))).toEqual(NOT_PENDING);
      await restoreLink(opened, orgId, linkId, BY_JANA);
      const restored = await requestOne(opened, purchaseId);
      expect(restored.outcome).toBe('queued');
      // If it is revoked before it was mailed, there is no link to mail.
      await revokeLink(opened, orgId, restored.linkId, BY_JANA);
      expect(await claim(opened, restored.mailId)).toEqual(NOT_PENDING);
    });
  });

  describe('new links for everything bought with an address', () => {
    it('are made for every purchase at every organisation, newest first, and mailed to the address on record', async (opened) => {
      const other = await openShop(opened, 'Nocturne');
      const first = await sell(opened);
      opened.clock.advance(HOUR);
      const second = await sell(opened, { orderId: '2', orderNumber: '#2' });
      opened.clock.advance(HOUR);
      const elsewhere = await sell({ ...opened, shop: other }, { customer: ANA_IN_CAPITALS });
      await sell(opened, { orderId: '3', customer: { email: 'jo@example.com', name: 'Jo' } });
      const mailId = await requestAll(opened, ' aNa@example.com ');
      const claimed = await claim(opened, mailId);
      expect(claimed).toMatchObject({
        kind: 'claimed',
        email: {
          to: ANA_IN_CAPITALS,
          shops: [
            { name: 'Nocturne', items: [{ boughtAt: elsewhere.boughtAt }] },
            {
              name: 'Lumen Audio',
              items: [
                { orderNumber: '#2', boughtAt: second.boughtAt },
                { orderNumber: '#1001', boughtAt: first.boughtAt },
              ],
            },
          ],
          leftOut: false,
          opensLibrary: true,
        },
      });
      const made = linksOf(claimed);
      expect(made.some(({ linkId }) => linkId === first.linkId || linkId === second.linkId)).toBe(false);
      for (const { orgId, linkId } of made) {
        const page = await opened.stores.links.find(orgId, linkId);
        expect(page?.expiresAt).toEqual(new Date(opened.clock.now().getTime() + 48 * HOUR));
      }
    });

    // Another shop can write it as it likes, as often as it likes, and so could keep the mail from its buyer.
    for (const count of [1, LINKS_PER_MAIL]) {
      it(`are mailed to an address that is written as usual, whatever other spelling ${count} newer have`, async (opened) => {
        const other = { ...opened, shop: await openShop(opened, 'Nocturne') };
        await sell(opened);
        opened.clock.advance(HOUR);
        const customer = { email: 'ａna@example.com', name: 'A' };
        for (let sold = 0; sold < count; sold += 1) await sell(other, { orderId: `${sold}`, customer });
        const claimed = await claim(opened, await requestAll(opened, 'ana@example.com'));
        expect(emailOf(claimed, 'links')?.to).toEqual({ email: 'ana@example.com', name: 'Ana Lima' });
        expect(linksOf(claimed)).toHaveLength(Math.min(count + 1, LINKS_PER_MAIL));
      });
    }

    it('stay the same links however often the mail is tried', async (opened) => {
      await sell(opened);
      const mailId = await requestAll(opened, 'ana@example.com');
      const first = await claim(opened, mailId);
      const nextTryAt = new Date(opened.clock.now().getTime() + HOUR);
      await putOff(opened, mailId, claimIdOf(first), nextTryAt);
      opened.clock.advance(HOUR);
      expect(linksOf(await claim(opened, mailId))).toEqual(linksOf(first));
    });

    it('for an address that nobody bought with are none, and its mail is completed', async (opened) => {
      await sell(opened);
      const mailId = await requestAll(opened, 'nobody@example.com');
      expect(await listEmailJobs(opened, 'links')).toMatchObject([
        { orgId: NO_ORGANISATION, emailId: mailId },
      ]);
      expect(await claim(opened, mailId)).toEqual(NOT_PENDING);
      expect(await claim(opened, mailId)).toEqual(NOT_PENDING);
    });

    it('are one mail while it is pending, however often they are asked for', async (opened) => {
      await sell(opened);
      const mailIds = await Promise.all(
        ['ana@example.com', 'ANA@example.com', 'ana@example.com'].map((email) => requestAll(opened, email)),
      );
      const claims = await Promise.all(mailIds.map((mailId) => claim(opened, mailId)));
      expect(claims.map(({ kind }) => kind).sort()).toEqual(['claimed', 'not-pending', 'not-pending']);
    });

    it('are other ones once those that were asked for before are mailed: nothing is kept of them', async (opened) => {
      await sell(opened);
      const mailId = await requestAll(opened, 'ana@example.com');
      const claimed = await claim(opened, mailId);
      const sent = { kind: 'sent', at: opened.clock.now(), answer: '250' } as const;
      await opened.stores.outgoingEmails.complete(NO_ORGANISATION, mailId, claimIdOf(claimed), sent);
      const later = await claim(opened, await requestAll(opened, 'ana@example.com'));
      expect(linksOf(later)).toHaveLength(1);
      expect(linksOf(later)[0]?.linkId === linksOf(claimed)[0]?.linkId).toBe(false);
    });

    it('go to the new buyer of a moved purchase, and no longer to the previous one', async (opened) => {
      const { purchaseId } = await sell(opened);
      await correctAddress(opened, opened.shop.orgId, purchaseId, 'eva@example.com', {
        by: BY_JANA,
        seen: 'ana@example.com',
      });
      expect(await claim(opened, await requestAll(opened, 'ana@example.com'))).toEqual(NOT_PENDING);
      const claimed = await claim(opened, await requestAll(opened, 'eva@example.com'));
      expect(emailOf(claimed, 'links')?.to.email).toBe('eva@example.com');
    });

    it('are at most fifty, those of the newest purchases, and it is known that there are more', async (opened) => {
      const names = Array.from({ length: LINKS_PER_MAIL + 1 }, (_, index) => `Pack ${index}`);
      await publishAll(opened, names);
      opened.clock.advance(HOUR);
      const oldest = await sell(opened, { orderId: 'old', lines: [makeLine('pack-0')] });
      opened.clock.advance(HOUR);
      const lines = names.slice(1).map((name) => makeLine(name.replace(' ', '-')));
      await sell(opened, { orderId: 'new', lines });
      const claimed = await claim(opened, await requestAll(opened, 'ana@example.com'));
      expect(claimed).toMatchObject({ email: { leftOut: true } });
      const items = emailOf(claimed, 'links')?.shops.flatMap((shop) => shop.items) ?? [];
      expect(items).toHaveLength(LINKS_PER_MAIL);
      expect(items.some(({ boughtAt }) => boughtAt.getTime() === oldest.boughtAt.getTime())).toBe(false);
    });
  });
}

const ANA_IN_CAPITALS = { email: 'Ana@Example.com', name: 'Ana Lima' };

async function sell(opened: OpenedShop, changes: Partial<Order> = {}) {
  const { plan, ...sold } = await sellByOrder(opened, changes);
  const [link] = plan.links;
  if (!link) throw new Error('The sample order was not delivered.');
  return { ...sold, expiresAt: link.expiresAt, boughtAt: link.createdAt };
}

async function publishAll(opened: OpenedShop, names: readonly string[]): Promise<void> {
  for (const name of names) await publishProduct(opened, opened.shop.orgId, name);
}

async function requestOne({ stores, shop, clock, ids }: OpenedShop, purchaseId: string) {
  const at = clock.now();
  const { orgId } = shop;
  const mailId = ids.next();
  const linkId = ids.next();
  const asked = { kind: 'link-requested', subjectId: purchaseId, summary: 'Asked for.' } as const;
  const outcome = await stores.downloadLinkEmails.requestOne({
    mailId,
    orgId,
    link: { id: linkId, orgId, purchaseId, createdAt: at, expiresAt: new Date(at.getTime() + 48 * HOUR) },
    activity: { id: ids.next(), at, ...asked, ...AUTOMATIC },
    at,
  });
  return { mailId, linkId, outcome };
}

async function requestAll({ stores, clock, ids }: OpenedShop, email: string): Promise<string> {
  const mailId = ids.next();
  await stores.downloadLinkEmails.requestAll({ mailId, email, at: clock.now() });
  return mailId;
}

/** Claims the mail: one for a purchase belongs to its organisation, one for an address to none. */
async function claim({ stores, shop, clock, ids }: OpenedShop, mailId: string): Promise<EmailClaim> {
  const ask = (orgId: string) => stores.outgoingEmails.claim(orgId, mailId, clock.now(), () => ids.next());
  const own = await ask(shop.orgId);
  return own.kind === 'not-pending' ? ask(NO_ORGANISATION) : own;
}

async function putOff({ stores, shop, clock }: OpenedShop, mailId: string, claimId: string, nextTryAt: Date) {
  const at = clock.now();
  const outcome = { kind: 'try-again', at, answer: '451', reason: 'Not yet.', nextTryAt } as const;
  for (const orgId of [shop.orgId, NO_ORGANISATION]) {
    await stores.outgoingEmails.complete(orgId, mailId, claimId, outcome);
  }
}

function linksOf(claimed: EmailClaim | undefined) {
  const shops = emailOf(claimed, 'links')?.shops ?? [];
  return shops.flatMap(({ orgId, items }) => items.map(({ linkId }) => ({ orgId, linkId })));
}
