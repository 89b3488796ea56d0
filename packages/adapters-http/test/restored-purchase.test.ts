import { ALL_PURCHASES, linkExpiry, resendReceipt, revokePurchase } from '@handover/domain';
import {
  BY_JANA,
  claimEmail,
  claimIdOf,
  emailOf,
  makeLine,
  publishProduct,
  sendsEmail,
} from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { openDashboard } from './open-dashboard.ts';
import { deliverOrder } from './sell-purchases.ts';

const MISSING = 'No mail has them';

async function openTwoProducts() {
  const dashboard = await openDashboard();
  const { ports, stores, shop, clock } = dashboard;
  await publishProduct({ ...ports, stores }, shop.orgId, 'Keys');
  await deliverOrder(dashboard, { lines: [makeLine('pads'), makeLine('keys')] });
  const rows = await ports.purchases.search(shop.orgId, { ...ALL_PURCHASES, before: null, limit: 10 });
  const idOf = (name: string) => rows.find(({ productName }) => productName === name)?.id ?? '';
  const admin = await dashboard.signIn('admin');
  return {
    ...dashboard,
    pads: idOf('Pads'),
    keys: idOf('Keys'),
    /** Mails every receipt that is due, as a worker does. */
    mail: async () => {
      for (const { emailId } of (await stores.queuedJobs()).filter(sendsEmail('receipt'))) {
        const claim = await claimEmail(ports, shop.orgId, emailId, clock.now());
        const email = emailOf(claim, 'receipt');
        if (!email) continue;
        const content = { ...email, language: email.language ?? null, worksUntil: linkExpiry(clock.now()) };
        const outcome = { kind: 'sent', at: clock.now(), answer: 'ok', content } as const;
        await ports.outgoingEmails.complete(shop.orgId, emailId, claimIdOf(claim), outcome);
      }
      clock.advance(60_000);
    },
    restore: async (id: string) => {
      await admin.submit(`/dashboard/purchases/${id}`, `/dashboard/purchases/${id}/restore`);
      return (await admin.get(`/dashboard/purchases/${id}`)).body;
    },
  };
}

describe('a restored purchase', () => {
  test('asks for its receipt if the last one left it out', async () => {
    const { ports, shop, pads, keys, mail, restore } = await openTwoProducts();
    await mail();
    await revokePurchase(ports, shop.orgId, keys, BY_JANA);
    const seen = (await ports.mailings.find(shop.orgId, pads))?.receipt ?? null;
    await resendReceipt(ports, shop.orgId, pads, { by: BY_JANA, seen });
    await mail();
    expect(await restore(keys)).toContain(MISSING);
  });

  test('asks for none if a working link was mailed, though its buyer asked for a newer one', async () => {
    const { app, ports, stores, shop, clock, keys, mail, restore } = await openTwoProducts();
    await mail();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    await app.inject({ method: 'POST', url: '/my', payload: 'email=ana%40example.com', headers });
    for (const { orgId, emailId } of (await stores.queuedJobs()).filter(sendsEmail('links')))
      await ports.outgoingEmails.claim(orgId, emailId, clock.now(), () => ports.ids.next());
    expect((await ports.purchases.show(shop.orgId, keys))?.links).toHaveLength(2);
    await revokePurchase(ports, shop.orgId, keys, BY_JANA);
    expect(await restore(keys)).not.toContain(MISSING);
  });
});
