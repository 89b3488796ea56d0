import { fulfilOrder } from '@handover/domain';
import { makeOrder } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { decodeHtml, hiddenPairsOf, openDashboard } from './open-dashboard.ts';
import { completeReceipt, deliverOrder } from './sell-purchases.ts';

const DISMISS = '/dashboard/overview/dismiss';
const NOBODY = { customer: { email: null, name: null } };
const MINUTE = 60_000;

async function open() {
  const dashboard = await openDashboard();
  const owner = await dashboard.signIn('owner');
  return {
    ...dashboard,
    owner,
    readNeeds: async () => decodeHtml((await owner.get(DISMISS)).body),
    dismissAll: async (subject: string) => {
      const { body } = await owner.get(`${DISMISS}?subject=${subject}`);
      await owner.post(DISMISS, [...hiddenPairsOf(body), ['reason', 'Known.']]);
      dashboard.clock.advance(MINUTE);
      // The next page still has the toast.
      await owner.get(DISMISS);
    },
  };
}

describe('all that Overview lists as one thing, once it was dismissed', () => {
  test('is listed again when one of its orders is delivered again and fails', async () => {
    const { ports, shop, readNeeds, dismissAll, ...opened } = await open();
    const order = { ...NOBODY, orderId: '1' };
    const { deliveryId } = await deliverOrder({ ...opened, ports, shop }, order);
    await dismissAll('failed');
    expect(await readNeeds()).not.toContain('was not delivered');
    await fulfilOrder(ports, makeOrder(shop, order), { id: deliveryId, attempts: 1 });
    expect(await readNeeds()).toContain('One order was not delivered');
  });

  test('is listed again for a receipt that is refused later, though it is older than those that were seen', async () => {
    const opened = await open();
    const { clock, owner, readNeeds, dismissAll } = opened;
    const pending = await deliverOrder(opened, {
      orderId: 'a',
      customer: { email: 'a@example.com', name: 'Anna' },
    });
    clock.advance(MINUTE);
    const refused = await deliverOrder(opened, {
      orderId: 'b',
      customer: { email: 'b@example.com', name: 'Bert' },
    });
    await completeReceipt(opened, refused.receiptId, 'refused', '550 No such user.');
    await dismissAll('refused');
    expect(await readNeeds()).not.toContain('did not arrive');
    const page = `/dashboard/purchases/${refused.purchaseId}`;
    await owner.submit(page, `${page}/revoke`, {});
    await completeReceipt(opened, pending.receiptId, 'refused', '550 The mailbox is full.');
    expect(await readNeeds()).toContain('One receipt did not arrive');
  });
});
