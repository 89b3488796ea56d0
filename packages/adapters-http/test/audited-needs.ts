import type { Prepare } from './audited.ts';
import { completeReceipt, deliverOrder } from './sell-purchases.ts';

const NOBODY = { customer: { email: null, name: null } };

/** What is done about action items, for every route that does it. */
export const AUDITED_NEEDS: Readonly<Record<string, Prepare>> = {
  'POST /dashboard/overview/dismiss': async (audited) => {
    await deliverOrder(audited, NOBODY);
    const page = '/dashboard/overview/dismiss';
    const fields = { subject: 'failed', reason: 'Refunded.' };
    return () => audited.owner.submit(`${page}?subject=failed`, page, fields);
  },
  'POST /dashboard/overview/bring-back': async (audited) => {
    await deliverOrder(audited, NOBODY);
    const seen = { seenAt: audited.clock.now(), seenCount: 1, at: audited.clock.now() };
    const dismissal = { subject: 'failed', reason: 'Refunded.', by: 'jana@example.com', ...seen };
    await audited.ports.dismissals.dismiss(audited.shop.orgId, [dismissal]);
    const overview = '/dashboard/overview';
    return () => audited.owner.submit(overview, `${overview}/bring-back`, { subject: 'failed' });
  },
  'POST /dashboard/webhook-log/{deliveryId}/dismiss': async (audited) => {
    const page = `/dashboard/webhook-log/${(await deliverOrder(audited, NOBODY)).deliveryId}/dismiss`;
    return () => audited.owner.submit(page, page, { reason: 'Refunded.' });
  },
  'POST /dashboard/webhook-log/{deliveryId}/bring-back': async (audited) => {
    const entry = `/dashboard/webhook-log/${(await deliverOrder(audited, NOBODY)).deliveryId}`;
    await audited.owner.submit(`${entry}/dismiss`, `${entry}/dismiss`, { reason: 'Refunded.' });
    return () => audited.owner.submit(entry, `${entry}/bring-back`, {});
  },
  'POST /dashboard/purchases/{purchaseId}/dismiss': async (audited) => {
    const page = `${await refuseReceipt(audited)}/dismiss`;
    return () => audited.owner.submit(page, page, { reason: 'Refunded.' });
  },
  'POST /dashboard/purchases/{purchaseId}/bring-back': async (audited) => {
    const purchase = await refuseReceipt(audited);
    await audited.owner.submit(`${purchase}/dismiss`, `${purchase}/dismiss`, { reason: 'Refunded.' });
    return () => audited.owner.submit(purchase, `${purchase}/bring-back`, {});
  },
  'POST /dashboard/webhook-log/{deliveryId}/address': async (audited) => {
    const page = `/dashboard/webhook-log/${(await deliverOrder(audited, NOBODY)).deliveryId}/address`;
    return () => audited.owner.submit(page, page, { email: 'eva@example.com' });
  },
};

async function refuseReceipt(audited: Parameters<Prepare>[0]): Promise<string> {
  const { purchaseId, receiptId } = await deliverOrder(audited);
  await completeReceipt(audited, receiptId, 'refused', '550 no such user');
  return `/dashboard/purchases/${purchaseId}`;
}
