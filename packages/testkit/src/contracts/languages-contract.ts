import {
  AUTOMATIC,
  type Language,
  type NewDownloadLinkEmail,
  NO_ORGANISATION,
  resendReceipt,
  setLocale,
} from '@handover/domain';
import { emailOf } from '../complete-emails.ts';
import { BY_JANA } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { claimNow, completeNow, sellByOrder } from './shop-actions.ts';

/** The language of a buyer's mails. */
export function languagesContract({ describe, it, expect }: StoresRunner): void {
  describe('organisations and the language of their buyers', () => {
    it('have English and UTC by default', async ({ stores, shop }) => {
      const chosen = { language: 'de', timeZone: 'Europe/Berlin' } as const;
      expect(await stores.organisations.find(shop.orgId)).toMatchObject({ language: 'en', timeZone: 'UTC' });
      expect(await setLocale(stores, shop.orgId, chosen)).toEqual({
        kind: 'set',
        ...chosen,
        isChanged: true,
      });
      expect(await setLocale(stores, shop.orgId, chosen)).toMatchObject({ kind: 'set', isChanged: false });
      expect(await stores.organisations.find(shop.orgId)).toMatchObject(chosen);
      expect(await setLocale(stores, 'x', chosen)).toEqual({ kind: 'unknown-organisation' });
      for (const wrong of [
        { ...chosen, language: 'la' },
        { ...chosen, timeZone: 'Mars/Olympus' },
      ]) {
        expect(await setLocale(stores, shop.orgId, wrong)).toMatchObject({ kind: 'invalid' });
      }
      expect(await stores.organisations.find(shop.orgId)).toMatchObject(chosen);
    });

    it('write receipts in the language of the order, and know their own', async (opened) => {
      const { stores, shop } = opened;
      await setLocale(stores, shop.orgId, { language: 'fr', timeZone: 'Europe/Paris' });
      const sold = await sell(opened, 'ja-JP');
      const own = { language: 'fr', timeZone: 'Europe/Paris' };
      expect(await claimReceipt(opened, sold.receiptId)).toMatchObject({ language: 'ja', organisation: own });
      const other = await sell(opened, 'tlh', '2');
      expect(await claimReceipt(opened, other.receiptId)).toMatchObject({
        language: null,
        organisation: own,
      });
      expect((await stores.links.find(shop.orgId, sold.linkId))?.organisation.language).toBe('fr');
    });

    it('keep the language of a receipt that is sent again', async (opened) => {
      const { stores, shop } = opened;
      const { receiptId, purchaseId } = await sell(opened, 'pt-BR');
      await completeNow(opened, receiptId, 'sent');
      await resendReceipt(opened, shop.orgId, purchaseId, {
        by: BY_JANA,
        seen: { id: receiptId, status: 'sent' },
      });
      const again = await stores.mailings.find(shop.orgId, purchaseId);
      expect(again?.receipt).toMatchObject({ status: 'pending', language: 'pt' });
      expect(await claimReceipt(opened, again?.receipt?.id ?? '')).toMatchObject({ language: 'pt' });
    });

    it('mail new links in the language of the last request', async (opened) => {
      const { stores, shop, clock, ids } = opened;
      const { purchaseId } = await sell(opened, null, '1', `${shop.orgId}@example.com`);
      const at = clock.now();
      // An address of this test alone: mails for an address belong to no organisation.
      const email = `${shop.orgId}@example.com`;
      const [one, all] = [ids.next(), ids.next()];
      await stores.downloadLinkEmails.requestOne(makeRequest(opened, purchaseId, one, 'es'));
      await stores.downloadLinkEmails.requestOne(makeRequest(opened, purchaseId, ids.next(), 'de'));
      await stores.downloadLinkEmails.requestAll({ mailId: all, email, language: 'es', at });
      await stores.downloadLinkEmails.requestAll({ mailId: ids.next(), email, language: 'de', at });
      for (const [orgId, id] of [
        [shop.orgId, one],
        [NO_ORGANISATION, all],
      ] as const) {
        const claim = await stores.outgoingEmails.claim(orgId, id, at, () => ids.next());
        expect(emailOf(claim, 'links')?.language).toBe('de');
      }
    });
  });
}

function makeRequest(
  { shop, clock, ids }: OpenedShop,
  purchaseId: string,
  mailId: string,
  language: Language,
): NewDownloadLinkEmail {
  const at = clock.now();
  const { orgId } = shop;
  const activity = { id: ids.next(), at, kind: 'link-requested', subjectId: purchaseId } as const;
  return {
    mailId,
    orgId,
    language,
    link: { id: ids.next(), orgId, purchaseId, createdAt: at, expiresAt: at },
    activity: { ...activity, summary: 'Asked for.', ...AUTOMATIC },
    at,
  };
}

function sell(opened: OpenedShop, language: string | null, orderId = '1', email = 'ana@example.com') {
  return sellByOrder(opened, { orderId, language, customer: { email, name: 'Ana Lima' } });
}

async function claimReceipt(opened: OpenedShop, receiptId: string) {
  return emailOf(await claimNow(opened, receiptId), 'receipt');
}
