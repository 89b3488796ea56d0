import {
  completeEmail,
  createFakeComposing,
  makeLine,
  makeOrder,
  publishProduct,
  recordOrder,
} from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import { fulfilOrder, previewDelivery, sendEmail, updateProduct } from '../src/index.ts';
import { openShopInMemory } from './open-shop-in-memory.ts';

describe('what delivering again would do now', () => {
  it('says line by line what would become of it, and changes nothing', async () => {
    const opened = await openWithDraft();
    const { shop, stores, clock } = opened;
    const before = await opened.preview();
    expect(before).toMatchObject({
      kind: 'preview',
      preview: {
        status: 'held',
        mails: false,
        changes: false,
        lines: [{ outcome: 'held' }, { outcome: 'unmatched' }],
      },
    });
    await updateProduct({ clock, products: stores.products }, shop.orgId, shop.product.id, {
      status: 'published',
    });
    expect(await opened.preview()).toMatchObject({
      preview: {
        status: 'pending',
        mails: true,
        changes: true,
        lines: [
          { outcome: 'delivered', productName: 'Pads', amount: '49.00', sku: 'PADS' },
          { outcome: 'unmatched', productName: null },
        ],
      },
    });
    expect(await stores.purchases.count(shop.orgId)).toBe(0);
    expect(await stores.deliveries.show(shop.orgId, opened.deliveryId)).toMatchObject({ status: 'held' });
  });

  it('says so when nothing would change', async () => {
    const opened = await openFulfilled();
    const { shop, stores, clock, emailId } = opened;
    const sent = { kind: 'sent', at: clock.now(), answer: '250 OK' } as const;
    await completeEmail(stores, shop.orgId, emailId, clock.now(), sent);
    expect(await opened.preview()).toMatchObject({
      preview: { status: 'success', mails: false, changes: false },
    });
  });

  it('says that a mail goes where only a receipt is missing', async () => {
    const opened = await openFulfilled();
    const { shop, stores, emailId } = opened;
    const mailer = { send: async () => ({ kind: 'refused', answer: '550' }) as const };
    const named = { orgId: shop.orgId, emailId };
    await sendEmail({ ...createFakeComposing(), ...opened, ...stores, mailer }, named);
    expect(await opened.preview()).toMatchObject({
      preview: {
        status: 'pending',
        mails: true,
        changes: true,
        lines: [{ outcome: 'already-delivered' }, {}],
      },
    });
  });

  it('says that a receipt which waits for a better hour would be sent now', async () => {
    const opened = await openFulfilled();
    const { shop, stores, emailId } = opened;
    expect(await opened.preview()).toMatchObject({
      preview: { status: 'pending', mails: false, changes: false },
    });
    const mailer = { send: async () => ({ kind: 'try-again', answer: '451' }) as const };
    const named = { orgId: shop.orgId, emailId };
    await sendEmail({ ...createFakeComposing(), ...opened, ...stores, mailer }, named);
    expect(await opened.preview()).toMatchObject({
      preview: { status: 'pending', mails: true, changes: true },
    });
  });

  it('says that something changes where only the status does', async () => {
    const opened = await openWithDraft();
    const { shop, stores } = opened;
    const order = makeOrder(shop, { orderId: '5002', test: true, customer: { email: null, name: null } });
    const { id } = await recordOrder(opened, order);
    await fulfilOrder({ ...opened, fulfilment: stores.fulfilment }, order, { id, attempts: 0 });
    expect(await opened.preview(id, order)).toMatchObject({ preview: { status: 'error', changes: false } });
    await stores.connections.setRules(shop.orgId, 'storefront-a', 'main', { ignoreTestOrders: true });
    expect(await opened.preview(id, order)).toMatchObject({ preview: { status: 'ignored', changes: true } });
  });

  it('says of each line what it costs, though a text that lists several is one name', async () => {
    const opened = await openWithDraft();
    const { shop, stores } = opened;
    const listedIn = 'pads, deluxe';
    await stores.skuMappings.put(shop.orgId, { sku: listedIn, platform: null, productId: shop.product.id });
    const lines = [
      makeLine('pads', { amount: '9.00', listedIn }),
      makeLine('deluxe', { amount: '0', listedIn }),
      makeLine('NOBODY', { amount: '5.00' }),
    ];
    expect(await opened.preview(opened.deliveryId, makeOrder(shop, { lines }))).toMatchObject({
      preview: {
        lines: [
          { sku: listedIn, amount: '9.00' },
          { sku: 'NOBODY', amount: '5.00' },
        ],
      },
    });
  });

  it('says no amount of a purchase that no line stands for any more', async () => {
    const opened = await openWithDraft();
    const { shop, stores, clock } = opened;
    const { product } = await publishProduct(opened, shop.orgId, 'Keys');
    await updateProduct({ clock, products: stores.products }, shop.orgId, shop.product.id, {
      status: 'published',
    });
    await fulfilOrder({ ...opened, fulfilment: stores.fulfilment }, opened.order, {
      id: opened.deliveryId,
      attempts: 1,
    });
    await stores.skuMappings.put(shop.orgId, { sku: 'pads', platform: null, productId: product.id });
    expect(await opened.preview()).toMatchObject({
      preview: {
        lines: [
          { outcome: 'delivered', productName: 'Keys', amount: '49.00' },
          { outcome: 'unmatched' },
          { outcome: 'already-delivered', productName: 'Pads', amount: null },
        ],
      },
    });
  });

  it('says that something changes where a line only comes to mean something else', async () => {
    const opened = await openWithDraft();
    await opened.stores.skuMappings.put(opened.shop.orgId, {
      sku: 'nobody',
      platform: null,
      productId: null,
    });
    expect(await opened.preview()).toMatchObject({
      preview: { status: 'held', mails: false, changes: true, lines: [{}, { outcome: 'not-ours' }] },
    });
  });

  it('of an entry whose body was removed is none', async () => {
    const { stores, ...opened } = await openWithDraft();
    const find = async (...of: Parameters<typeof stores.deliveries.find>) => {
      const stored = await stores.deliveries.find(...of);
      return stored && { ...stored, body: null };
    };
    const deliveries = { ...stores.deliveries, find };
    const orders = { read: () => opened.order };
    const ports = { clock: opened.clock, deliveries, orders, fulfilment: stores.fulfilment };
    expect(await previewDelivery(ports, opened.shop.orgId, opened.deliveryId)).toEqual({
      kind: 'body-removed',
    });
  });

  it('of an entry that is unknown, or holds no order, is none', async () => {
    const opened = await openWithDraft();
    expect(await opened.preview('x')).toEqual({ kind: 'unknown-delivery' });
    expect(await opened.preview(opened.deliveryId, null)).toEqual({
      kind: 'no-order',
      reason: expect.any(String),
    });
  });
});

async function openWithDraft() {
  const ports = await openShopInMemory();
  const { shop, stores, clock } = ports;
  await updateProduct({ clock, products: stores.products }, shop.orgId, shop.product.id, { status: 'draft' });
  const order = makeOrder(shop, { lines: [makeLine('PADS'), makeLine('NOBODY')] });
  const { id: deliveryId } = await recordOrder(ports, order);
  await fulfilOrder({ ...ports, fulfilment: stores.fulfilment }, order, { id: deliveryId, attempts: 0 });
  const preview = (id = deliveryId, read: typeof order | null = order) =>
    previewDelivery(
      { clock, deliveries: stores.deliveries, fulfilment: stores.fulfilment, orders: { read: () => read } },
      shop.orgId,
      id,
    );
  return { ...ports, shop, order, deliveryId, preview };
}

/** Its product was published, and the order is delivered but for the receipt. */
async function openFulfilled() {
  const opened = await openWithDraft();
  const { shop, stores, clock } = opened;
  await updateProduct({ clock, products: stores.products }, shop.orgId, shop.product.id, {
    status: 'published',
  });
  const plan = await fulfilOrder({ ...opened, fulfilment: stores.fulfilment }, opened.order, {
    id: opened.deliveryId,
    attempts: 1,
  });
  return { ...opened, emailId: plan.receipt?.id ?? '' };
}
