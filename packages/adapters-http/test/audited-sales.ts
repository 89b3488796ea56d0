import { type Audited, type Prepare, submit } from './audited.ts';
import { sendOrder } from './fill-log.ts';
import { hiddenFieldsOf } from './open-dashboard.ts';
import { sellByHand } from './sell-by-hand.ts';
import { deliverOrder } from './sell-purchases.ts';

async function purchaseOf(audited: Audited): Promise<string> {
  await sellByHand(audited);
  for await (const { id } of audited.stores.purchases.list(audited.shop.orgId)) return id;
  throw new Error('Nothing was sold.');
}

const waitingSku = async (audited: Audited, path: string) => {
  await sendOrder(audited, { sku: 'KEYS' });
  return path;
};

/** What is done about purchases, for every route that does it. */
export const AUDITED_SALES: Readonly<Record<string, Prepare>> = {
  'POST /dashboard/purchases/record': async (opened) => {
    const sale = {
      email: 'ana@example.com',
      name: 'Ana',
      amount: '49.00',
      currency: 'EUR',
      paymentMethod: 'cash',
    };
    return submit(() => '/dashboard/purchases/record', {
      ...sale,
      key: 'k',
      productId: opened.shop.product.id,
    })(opened);
  },
  'POST /dashboard/purchases/unmatched/map': async (opened) =>
    submit(() => waitingSku(opened, '/dashboard/purchases/unmatched/map'), {
      sku: 'KEYS',
      productId: opened.shop.product.id,
    })(opened),
  'POST /dashboard/purchases/unmatched/not-ours': submit(
    (opened) => waitingSku(opened, '/dashboard/purchases/unmatched/not-ours'),
    { sku: 'KEYS' },
  ),
  'POST /dashboard/purchases/{purchaseId}/resend': async (opened) => {
    const page = `/dashboard/purchases/${await purchaseOf(opened)}/resend`;
    const fields = hiddenFieldsOf((await opened.owner.get(page)).body);
    return () => opened.owner.post(page, fields);
  },
  'POST /dashboard/purchases/{purchaseId}/address': async (opened) => {
    const page = `/dashboard/purchases/${await purchaseOf(opened)}/address`;
    const fields = hiddenFieldsOf((await opened.owner.get(page)).body);
    return () => opened.owner.post(page, { ...fields, email: 'ana@example.org' });
  },
  'POST /dashboard/purchases/{purchaseId}/erase': async (opened) => {
    const page = `/dashboard/purchases/${await purchaseOf(opened)}/erase`;
    const fields = hiddenFieldsOf((await opened.owner.get(page)).body);
    return () => opened.owner.post(page, fields);
  },
  'POST /dashboard/purchases/{purchaseId}/revoke': submit(
    async (opened) => `/dashboard/purchases/${await purchaseOf(opened)}/revoke`,
  ),
  'POST /dashboard/purchases/{purchaseId}/restore': async (opened) => {
    const page = `/dashboard/purchases/${await purchaseOf(opened)}`;
    await opened.owner.submit(page, `${page}/revoke`);
    return submit(() => `${page}/restore`)(opened);
  },
  'POST /dashboard/purchases/bulk': async (opened) => {
    const p = await purchaseOf(opened);
    return submit(() => '/dashboard/purchases/bulk', { action: 'revoke', p })(opened);
  },
  'POST /dashboard/purchases/bulk/{bulkId}/cancel': async (opened) => {
    await purchaseOf(opened);
    const bulkId = opened.ports.ids.next();
    await submit(() => '/dashboard/purchases/bulk', { action: 'revoke', all: 'yes', key: bulkId })(
      opened,
    ).then((begin) => begin());
    return submit(() => `/dashboard/purchases/bulk/${bulkId}/cancel`)(opened);
  },
  'POST /dashboard/purchases/bulk/{bulkId}/undo': async (opened) => {
    const p = await purchaseOf(opened);
    const bulkId = opened.ports.ids.next();
    await submit(() => '/dashboard/purchases/bulk', { action: 'revoke', p, key: bulkId })(opened).then(
      (revoke) => revoke(),
    );
    return submit(() => `/dashboard/purchases/bulk/${bulkId}/undo`)(opened);
  },
  'POST /dashboard/purchases/{purchaseId}/delete': submit(
    async (opened) =>
      `/dashboard/purchases/${(await deliverOrder(opened, {}, { isTest: true })).purchaseId}/delete`,
  ),
};
