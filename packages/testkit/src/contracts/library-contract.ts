import { resendReceipt, revokeLink } from '@handover/domain';
import { BY_JANA, openShop } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { sellByOrder } from './shop-actions.ts';

const HOUR = 60 * 60 * 1000;

/** The answers of `listOfBuyer` to a buyer, for all organisations. */
export function libraryContract({ describe, it, expect }: StoresRunner): void {
  describe('a library', () => {
    it('has what was bought with the address at every organisation, newest first', async (opened) => {
      const other = await openShop(opened, 'Other');
      const email = `${opened.shop.orgId}@example.com`;
      const first = await sell(opened, email, '1');
      const second = await sell({ ...opened, shop: other }, email.toUpperCase(), '2');
      await sell(opened, `not-${email}`, '3');
      const items = await list(opened, email);
      expect(
        items.map(({ orgId, link, shop, orderNumber }) => [orgId, link?.id, shop.name, orderNumber]),
      ).toEqual([
        [other.orgId, second.linkId, 'Other', '#1001'],
        [opened.shop.orgId, first.linkId, 'Lumen Audio', '#1001'],
      ]);
      expect(items[1]).toMatchObject({
        purchaseId: first.purchaseId,
        productName: 'Pads',
        version: { label: '1.0', files: [{ name: 'pads.zip', size: 5 }] },
        boughtAt: first.at,
        link: { expiresAt: new Date(first.at.getTime() + 48 * HOUR) },
      });
    });

    it('comes page by page, and is empty after a purchase that is not the buyer’s', async (opened) => {
      const email = `${opened.shop.orgId}@example.com`;
      const sold = [];
      for (const orderId of ['1', '2', '3']) sold.push((await sell(opened, email, orderId)).purchaseId);
      const stranger = await sell(opened, `not-${email}`, '4');
      const page = await list(opened, email, { limit: 2 });
      expect(page.map(({ purchaseId }) => purchaseId)).toEqual([sold[2], sold[1]]);
      const rest = await list(opened, email, { before: sold[1] ?? null });
      expect(rest.map(({ purchaseId }) => purchaseId)).toEqual([sold[0]]);
      for (const before of [stranger.purchaseId, 'nonsense']) {
        expect(await list(opened, email, { before })).toEqual([]);
      }
    });

    it('opened from a mail older than a replacement of links has none of that purchase, and renews none', async (opened) => {
      const { shop, clock, stores } = opened;
      const email = `${shop.orgId}@example.com`;
      const replaced = await sell(opened, email, '1');
      const kept = await sell(opened, email, '2');
      const receipt = (await stores.mailings.find(shop.orgId, replaced.purchaseId))?.receipt ?? null;
      clock.advance(1000);
      const at = clock.now();
      await resendReceipt(opened, shop.orgId, replaced.purchaseId, {
        by: BY_JANA,
        seen: receipt,
        replacesLinks: true,
      });
      clock.advance(1000);
      const renewal = { at: clock.now(), expiresAt: new Date(at.getTime() + 99 * HOUR) };
      const linksOf = async (mailedAt: Date) =>
        (await list(opened, email, { mailedAt, renewal })).map(({ purchaseId, link }) => [
          purchaseId,
          link?.id ?? null,
        ]);
      expect(await linksOf(kept.at)).toEqual([
        [kept.purchaseId, kept.linkId],
        [replaced.purchaseId, null],
      ]);
      const newest = (await stores.purchases.show(shop.orgId, replaced.purchaseId))?.linkId ?? '';
      const { expiresAt } = (await stores.links.find(shop.orgId, newest)) ?? {};
      expect(expiresAt).toEqual(new Date(at.getTime() + 48 * HOUR));
      expect(await linksOf(at)).toEqual([
        [kept.purchaseId, kept.linkId],
        [replaced.purchaseId, newest],
      ]);
    });

    it('renews links that work, leaves expired ones, and leaves out revoked ones', async (opened) => {
      const { stores, shop, clock } = opened;
      const email = `${shop.orgId}@example.com`;
      const expired = await sell(opened, email, '1');
      clock.advance(40 * HOUR);
      const working = await sell(opened, email, '2');
      const revoked = await sell(opened, email, '3');
      await revokeLink(opened, shop.orgId, revoked.linkId, BY_JANA);
      clock.advance(10 * HOUR);
      const at = clock.now();
      const expiresAt = new Date(at.getTime() + 48 * HOUR);
      const before = await list(opened, email);
      expect(before[0]?.link?.expiresAt).toEqual(new Date(working.at.getTime() + 48 * HOUR));
      const items = await list(opened, email, { renewal: { at, expiresAt } });
      expect(items.map(({ link }) => link)).toEqual([
        { id: working.linkId, expiresAt },
        { id: expired.linkId, expiresAt: new Date(expired.at.getTime() + 48 * HOUR) },
      ]);
      expect((await stores.links.find(shop.orgId, working.linkId))?.expiresAt).toEqual(expiresAt);
      expect((await stores.links.find(shop.orgId, expired.linkId))?.expiresAt).toEqual(
        items[1]?.link?.expiresAt,
      );
    });
  });
}

function list(
  { stores, clock }: OpenedShop,
  email: string,
  query: Partial<Parameters<OpenedShop['stores']['links']['listOfBuyer']>[1]> = {},
) {
  const all = { before: null, mailedAt: clock.now(), limit: 10, renewal: null };
  return stores.links.listOfBuyer(email, { ...all, ...query });
}

async function sell(opened: OpenedShop, email: string, orderId: string) {
  opened.clock.advance(1000);
  const sold = await sellByOrder(opened, { orderId, customer: { email, name: 'Ana Lima' } });
  return { ...sold, at: opened.clock.now() };
}
