import { correctAddress, fulfilOrder, resendReceipt } from '@handover/domain';
import { BY_JANA, makeOrder, recordOrder } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { decodeHtml } from './open-dashboard.ts';
import { sellPads } from './sell-pads.ts';
import { completeReceipt, deliverOrder } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

describe('a link that was replaced', () => {
  test('is not offered by the library of an older mail about something else', async () => {
    const { app, ports, stores, shop, clock, libraryToken } = await sellPads();
    clock.advance(1000);
    const order = makeOrder(shop, { orderId: '77', orderNumber: '#77' });
    const delivery = await recordOrder({ ...ports, stores }, order);
    const other = await fulfilOrder(ports, order, { id: delivery.id, attempts: 0 });
    const purchaseId = other.purchases[0]?.id ?? '';
    const offers = async (linkId: string) =>
      (await app.inject(`/my/${libraryToken}`)).body.includes(ports.tokens.seal(shop.orgId, linkId));
    expect(await offers(other.links[0]?.id ?? '')).toBe(true);
    clock.advance(1000);
    const seen = { id: other.receipt?.id ?? '', status: 'pending' } as const;
    await resendReceipt(ports, shop.orgId, purchaseId, { by: BY_JANA, seen, replacesLinks: true });
    const newest = (await ports.purchases.show(shop.orgId, purchaseId))?.linkId ?? '';
    expect(newest).not.toBe(other.links[0]?.id);
    expect(await offers(newest)).toBe(false);
    const library = await app.inject(`/my/${libraryToken}`);
    expect(library.statusCode).toBe(200);
    expect(library.body).toContain('A new mail leads to the files again.');
    const [, email = ''] =
      /action="\/my"><input type="hidden" name="email" value="([^"]+)"/.exec(library.body) ?? [];
    await askForLinks(app, email);
    const mails = (await stores.queuedJobs()).filter(
      (job) => job.kind === 'send-email' && job.emailKind === 'links',
    );
    expect(mails).toHaveLength(1);
  });

  test('is still to be replaced when the form is asked again', async ({ dashboard }) => {
    const { purchaseId } = await deliverOrder(dashboard, { orderId: '1' });
    const admin = await dashboard.signIn('admin');
    const resend = `/dashboard/purchases/${purchaseId}/resend`;
    const fields = { receipt: 'nonsense', replace: 'yes' };
    const { body } = await admin.submit(`${resend}?replace=yes`, resend, fields);
    expect(body).toContain('Replace the links');
  });
});

describe('a link that was mailed again', () => {
  test('is not said to have gone to an address that was corrected later', async ({ dashboard }) => {
    const { app, ports, stores, shop, clock } = dashboard;
    const { purchaseId, receiptId, linkId } = await deliverOrder(dashboard, { orderId: '1' });
    await completeReceipt(dashboard, receiptId, 'sent', 'ok');
    const admin = await dashboard.signIn('admin');
    const former = (await ports.links.find(shop.orgId, linkId))?.customer.email ?? '';
    clock.advance(60_000);
    await askForLinks(app, former);
    for (const job of await stores.queuedJobs()) {
      if (job.kind !== 'send-email' || job.emailKind === 'receipt') continue;
      await ports.outgoingEmails.claim(job.orgId, job.emailId, clock.now(), () => ports.ids.next());
    }
    const read = async () =>
      decodeHtml((await admin.get(`/dashboard/purchases/${purchaseId}`)).body.replace(/<[^>]*>/g, ''));
    expect(await read()).toContain(`To ${former}: requested at “My downloads”`);
    clock.advance(60_000);
    const correction = { by: BY_JANA, seen: former };
    await correctAddress(ports, shop.orgId, purchaseId, 'new@example.com', correction);
    const story = await read();
    expect(story).toContain('To the former address: requested at “My downloads”');
    expect(story).not.toContain('To new@example.com: requested');
  });
});

function askForLinks(app: Awaited<ReturnType<typeof sellPads>>['app'], email: string) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  return app.inject({
    method: 'POST',
    url: '/my',
    payload: new URLSearchParams({ email }).toString(),
    headers,
  });
}
